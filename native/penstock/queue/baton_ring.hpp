#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/base/sync.hpp"

namespace penstock::queue {

// Lets runs pass a place one at a time and in the order of their serial numbers, although the
// threads that carry them arrive in any order.
//
// There is one baton. Slot `serial mod size` belongs to the run of that serial: it holds nothing,
// the run that came too early, or the baton that waits for it. Who finds the baton in its slot
// may pass; who does not leaves the run there and is free for other work. Leaving, the baton goes
// into the next slot, and a run that waits there can go on. One exchange each way, no lock, and
// nobody ever waits.
//
// At most size() runs may be under way, so that no two of them share a slot.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
class BatonRing {
 public:
  // The baton waits for the run `first`.
  explicit BatonRing(std::size_t window, std::uint64_t first = 0)
      : mask_(std::bit_ceil(window) - 1), slots_(std::make_unique<Slot[]>(size())) {
    slots_[first & mask_].store(baton(), std::memory_order_relaxed);
  }

  // True when it is this run's turn. Otherwise the run now belongs to the ring, and maybe already
  // to another thread: do not touch it again.
  [[nodiscard]] bool arrive(Run& run, std::uint64_t serial) noexcept {
    Slot& mine = slots_[serial & mask_];
    // Release: whoever is handed the run sees what was done to it. Acquire: its turn comes after
    // all that the previous run did here.
    if (mine.exchange(&run, std::memory_order_acq_rel) != baton()) return false;
    mine.store(nullptr, std::memory_order_relaxed);
    return true;
  }

  // Ends the turn of `serial`. The run that was waiting for it, if any, is handed to the caller
  // and has its turn now.
  [[nodiscard]] Run* depart(std::uint64_t serial) noexcept {
    Slot& next = slots_[(serial + 1) & mask_];
    Run* const waiting = next.exchange(baton(), std::memory_order_acq_rel);
    if (waiting != nullptr) next.store(nullptr, std::memory_order_relaxed);
    return waiting;
  }

  [[nodiscard]] std::size_t size() const noexcept { return mask_ + 1; }

 private:
  using Slot = typename Sync::template Atomic<Run*>;

  // An address that no run can have.
  [[nodiscard]] Run* baton() const noexcept {
    return reinterpret_cast<Run*>(const_cast<BatonRing*>(this));  // NOLINT(*-cast)
  }

  const std::size_t mask_;
  const std::unique_ptr<Slot[]> slots_;
};

}  // namespace penstock::queue
