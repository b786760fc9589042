#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/queue/baton_ring.hpp"
#include "penstock/queue/queueable.hpp"
#include "penstock/queue/reorderer.hpp"

namespace penstock::queue {

// The conveyor's way to keep order (BatonRing) as a reordering scheme: who finds the baton sends
// its unit and all that wait behind it, who does not leaves the unit and goes. The hand-over of
// the baton is the hand-over of the duty to send, so there is nothing to check again afterwards.
//
// The baton cannot be put down in front of a unit that waits, so a hold ends only where a unit is
// missing: this scheme has no burst (X1).
template <Queueable T, base::SyncPolicy Sync = base::RealSync>
class BatonReorder {
 public:
  using Unit = T;

  // Size is rounded up to a power of two. `first` is the number whose turn comes first.
  explicit BatonReorder(std::size_t min_size, std::uint64_t first = 0)
      : ring_(min_size, first), units_(std::make_unique<Waiting[]>(size())), next_(first) {}

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_send(std::uint64_t serial, T& unit, const Send& send) noexcept {
    if (!has_room_for(serial)) return false;
    Waiting& own = units_[serial & (size() - 1)];
    Sync::write(own.is_unit) = true;
    Sync::write(own.unit) = std::move(unit);
    pass(own, serial, send);
    return true;
  }

  template <UnitSender<T> Send>
  [[nodiscard]] bool try_skip(std::uint64_t serial, const Send& send) noexcept {
    if (!has_room_for(serial)) return false;
    Waiting& own = units_[serial & (size() - 1)];
    Sync::write(own.is_unit) = false;
    pass(own, serial, send);
    return true;
  }

  [[nodiscard]] std::uint64_t next_hint() const noexcept {
    return next_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::size_t size() const noexcept { return ring_.size(); }

 private:
  // Belongs to whom the ring hands it, from the moment its number is inside the window.
  struct Waiting {
    typename Sync::template Plain<bool> is_unit{false};
    typename Sync::template Plain<T> unit{};
  };

  [[nodiscard]] bool has_room_for(std::uint64_t serial) const noexcept {
    // Acquire: the place was emptied before `next` moved here.
    const auto next = next_.load(std::memory_order_acquire);
    PENSTOCK_CHECK(serial >= next, "A serial number can be added once.");
    return serial - next < size();
  }

  template <typename Send>
  void pass(Waiting& own, std::uint64_t serial, const Send& send) noexcept {
    if (!ring_.arrive(own, serial)) return;
    for (Waiting* turn = &own; turn != nullptr; ++serial) {
      if (Sync::read(turn->is_unit)) send(std::exchange(Sync::write(turn->unit), T{}));
      turn = depart(serial);
    }
  }

  // `next` first: once the baton is put down, another thread may already be moving `next` on.
  [[nodiscard]] Waiting* depart(std::uint64_t serial) noexcept {
    next_.store(serial + 1, std::memory_order_release);
    return ring_.depart(serial);
  }

  BatonRing<Waiting, Sync> ring_;
  const std::unique_ptr<Waiting[]> units_;
  alignas(base::kCacheLine) typename Sync::template Atomic<std::uint64_t> next_;
};

static_assert(Reorderer<BatonReorder<int>>);

}  // namespace penstock::queue
