#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/queueable.hpp"

namespace penstock::queue {

// A bounded first-in first-out queue for any number of producers and consumers: the list of
// ports that may be free (Schneider & Wu 2017, §4.1.1), after Vyukov's ring of numbered slots.
//
// Each slot counts its turns: even, it waits for the producer of that lap; odd, for the
// consumer. A thread claims a position by moving the shared counter, and only then owns the
// slot, until it moves the turn on. Turns, not positions, so that even one slot is enough.
//
// A refusal can be momentary: the slot in question may be held by a thread that has claimed it
// and not finished yet.
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class BoundedMpmc {
 public:
  // Capacity is rounded up to a power of two, which makes wrapping a mask and a shift.
  explicit BoundedMpmc(std::size_t min_capacity)
      : mask_(std::bit_ceil(min_capacity) - 1),
        lap_shift_(static_cast<unsigned>(std::bit_width(mask_))),
        slots_(std::make_unique<Slot[]>(capacity())) {}

  // Moves from `item` only on success.
  [[nodiscard]] bool try_push(T& item) noexcept {
    Slot* const slot = claim(tail_.claimed, 0);
    if (slot == nullptr) return false;
    Sync::write(slot->item) = std::move(item);
    pass_turn(*slot);
    return true;
  }

  [[nodiscard]] std::optional<T> try_pop() noexcept {
    Slot* const slot = claim(head_.claimed, 1);
    if (slot == nullptr) return std::nullopt;
    std::optional<T> item = std::exchange(Sync::write(slot->item), T{});
    pass_turn(*slot);
    return item;
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

 private:
  using Counter = typename Sync::template Atomic<std::size_t>;

  struct Slot {
    Counter turn{0};
    typename Sync::template Plain<T> item{};
  };
  struct alignas(base::kCacheLine) Side {
    Counter claimed{0};  // positions ever claimed on this side
  };

  // The next slot of this side, or null when it is still the other side's turn there.
  [[nodiscard]] Slot* claim(Counter& claimed, std::size_t parity) noexcept {
    auto position = claimed.load(std::memory_order_relaxed);
    for (;;) {
      Slot& slot = slots_[position & mask_];
      const auto wanted = 2 * (position >> lap_shift_) + parity;
      // Acquire pairs with pass_turn(): what the previous owner did to the slot is visible.
      const auto turn = slot.turn.load(std::memory_order_acquire);
      if (turn == wanted) {
        if (claimed.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
          return &slot;
        }
        continue;
      }
      // The counter may have moved since it was read: only then does the turn not tell.
      const auto now = claimed.load(std::memory_order_relaxed);
      if (now == position) return nullptr;
      position = now;
    }
  }

  static void pass_turn(Slot& slot) noexcept {
    // Only the owner writes the turn, so a plain increment is enough.
    slot.turn.store(slot.turn.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  const std::size_t mask_;
  const unsigned lap_shift_;
  const std::unique_ptr<Slot[]> slots_;
  Side tail_;
  Side head_;
};

}  // namespace penstock::queue
