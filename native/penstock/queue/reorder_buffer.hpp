#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/reorderer.hpp"

namespace penstock::queue {

// The non-blocking reordering scheme (P7; Prasaad et al. 2018, Fig. 4): adding a unit does not
// wait for whoever is sending, and a worker that finds the flag taken goes back to its work.
//
// Slot `serial mod size` belongs to that serial number while it is inside the window, which
// begins at `next`. The adder owns an empty slot of its own number; storing what the slot holds
// hands it to the holder of the flag, who alone sends, empties slots and moves `next`. A slot is
// empty before `next` moves past it (A28), or the unit of the following lap could be wiped out.
//
// No ready unit is left behind. The adder marks its slot, then looks at the flag; the holder
// clears the flag, then looks at the slot. Both are sequentially consistent (A28), so one of them
// sees the other.
//
// A hold ends after `burst` units (X1): a worker that cannot add gets its chance to send, too.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class ReorderBuffer {
 public:
  using Unit = T;
  static constexpr std::size_t kBurst = 64;

  // Size is rounded up to a power of two. `first` is the number whose turn comes first.
  explicit ReorderBuffer(std::size_t min_size, std::size_t burst = kBurst, std::uint64_t first = 0)
      : mask_(std::bit_ceil(min_size) - 1),
        burst_(std::max<std::size_t>(burst, 1)),
        slots_(std::make_unique<Slot[]>(size())),
        next_(first) {}

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_send(std::uint64_t serial, T& unit, const Send& send) noexcept {
    const bool added = try_add(serial, unit);
    send_pending(send);
    return added;
  }

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_skip(std::uint64_t serial, const Send& send) noexcept {
    const bool added = try_add_nothing(serial);
    send_pending(send);
    return added;
  }

  // Moves from `unit` only on success. The unit leaves by the next send_pending(), whoever calls
  // it; call it after each add.
  [[nodiscard]] bool try_add(std::uint64_t serial, T& unit) noexcept {
    Slot* const slot = slot_of(serial);
    if (slot == nullptr) return false;
    Sync::write(slot->unit) = std::move(unit);
    slot->holds.store(Holds::kUnit, std::memory_order_seq_cst);
    return true;
  }

  [[nodiscard]] bool try_add_nothing(std::uint64_t serial) noexcept {
    Slot* const slot = slot_of(serial);
    if (slot == nullptr) return false;
    slot->holds.store(Holds::kNothing, std::memory_order_seq_cst);
    return true;
  }

  // Sends all whose turn has come, or leaves that to the thread that is at it. A loop, where the
  // paper recurses (A27).
  template <UnitSender<T> Send>
  void send_pending(const Send& send) noexcept {
    while (send_some(send)) {
    }
  }

  // One hold of the flag. True when a unit was ready after letting go: then the caller must call
  // again, or see to it that another thread does.
  template <UnitSender<T> Send>
  [[nodiscard]] bool send_some(const Send& send) noexcept {
    // Look before leaping: a failed exchange pulls the line away from the holder.
    if (sending_.load(std::memory_order_seq_cst) ||
        sending_.exchange(true, std::memory_order_seq_cst)) {
      return false;
    }
    auto next = next_.load(std::memory_order_relaxed);
    for (std::size_t sent = 0; sent < burst_; ++sent, ++next) {
      Slot& slot = slots_[next & mask_];
      const Holds holds = slot.holds.load(std::memory_order_acquire);
      if (holds == Holds::kNone) break;
      if (holds == Holds::kUnit) send(std::exchange(Sync::write(slot.unit), T{}));
      move_past(slot, next);
    }
    let_go();
    return is_ready(next);
  }

  [[nodiscard]] std::uint64_t next_hint() const noexcept {
    return next_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t size() const noexcept { return mask_ + 1; }

 private:
  enum class Holds : std::uint8_t { kNone, kUnit, kNothing };

  struct Slot {
    typename Sync::template Atomic<Holds> holds{Holds::kNone};
    typename Sync::template Plain<T> unit{};
  };

  // Null when the number is beyond the window.
  [[nodiscard]] Slot* slot_of(std::uint64_t serial) noexcept {
    // Acquire: the slot was emptied before `next` moved here.
    const auto next = next_.load(std::memory_order_acquire);
    PENSTOCK_CHECK(serial >= next, "A serial number can be added once.");
    if (serial - next > mask_) return nullptr;
    Slot& slot = slots_[serial & mask_];
    PENSTOCK_CHECK(slot.holds.load(std::memory_order_relaxed) == Holds::kNone,
                   "A serial number can be added once, into an empty slot.");
    return &slot;
  }

  void move_past(Slot& slot, std::uint64_t serial) noexcept {
    slot.holds.store(Holds::kNone, std::memory_order_relaxed);
    next_.store(serial + 1, std::memory_order_release);
  }

  void let_go() noexcept { sending_.store(false, std::memory_order_seq_cst); }

  // Another holder may have gone on since; then the slot tells of a later number, which is as
  // good a reason to look again.
  [[nodiscard]] bool is_ready(std::uint64_t next) const noexcept {
    return slots_[next & mask_].holds.load(std::memory_order_seq_cst) != Holds::kNone;
  }

  const std::size_t mask_;
  const std::size_t burst_;
  const std::unique_ptr<Slot[]> slots_;
  alignas(base::kCacheLine) typename Sync::template Atomic<std::uint64_t> next_;
  alignas(base::kCacheLine) typename Sync::template Atomic<bool> sending_{false};
};

static_assert(Reorderer<ReorderBuffer<int>>);

}  // namespace penstock::queue
