#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/reorderer.hpp"

namespace penstock::queue {

// The lock-based reordering scheme (P6; Prasaad et al. 2018, Fig. 2), against which the others
// are measured: one lock around waiting and sending, so a worker that has only something to leave
// waits until all that is ready has been sent.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class LockedReorder {
 public:
  using Unit = T;

  // Size is rounded up to a power of two. `first` is the number whose turn comes first.
  explicit LockedReorder(std::size_t min_size, std::uint64_t first = 0)
      : mask_(std::bit_ceil(min_size) - 1),
        slots_(std::make_unique<Slot[]>(size())),
        next_(first) {}

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_send(std::uint64_t serial, T& unit, const Send& send) noexcept {
    return hand_over(serial, &unit, send);
  }

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_skip(std::uint64_t serial, const Send& send) noexcept {
    return hand_over(serial, nullptr, send);
  }

  [[nodiscard]] std::uint64_t next_hint() const noexcept {
    return next_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t size() const noexcept { return mask_ + 1; }

 private:
  enum class Holds : std::uint8_t { kNone, kUnit, kNothing };

  struct Slot {
    typename Sync::template Plain<Holds> holds{Holds::kNone};
    typename Sync::template Plain<T> unit{};
  };

  // Null for an input without output.
  template <typename Send>
  bool hand_over(std::uint64_t serial, T* unit, const Send& send) noexcept {
    const std::scoped_lock lock(mutex_);
    auto next = next_.load(std::memory_order_relaxed);
    PENSTOCK_CHECK(serial >= next, "A serial number can be added once.");
    if (serial - next > mask_) return false;
    Slot& own = slots_[serial & mask_];
    Sync::write(own.holds) = unit != nullptr ? Holds::kUnit : Holds::kNothing;
    if (unit != nullptr) Sync::write(own.unit) = std::move(*unit);
    for (;; ++next) {
      Slot& slot = slots_[next & mask_];
      const Holds holds = Sync::read(slot.holds);
      if (holds == Holds::kNone) return true;
      if (holds == Holds::kUnit) send(std::exchange(Sync::write(slot.unit), T{}));
      Sync::write(slot.holds) = Holds::kNone;
      next_.store(next + 1, std::memory_order_release);
    }
  }

  const std::size_t mask_;
  const std::unique_ptr<Slot[]> slots_;  // only under the mutex
  typename Sync::Mutex mutex_;
  typename Sync::template Atomic<std::uint64_t> next_;  // written under the mutex
};

static_assert(Reorderer<LockedReorder<int>>);

}  // namespace penstock::queue
