#pragma once

#include <atomic>
#include <cstddef>

#include "penstock/base/sync.hpp"
#include "penstock/queue/bounded_mpmc.hpp"

namespace penstock::schedule {

// Lets one run at a time into the lane, in the order of arrival. Nobody waits: a run that finds
// somebody in the lane is left there, and whoever leaves the lane is handed the next one.
//
// All runs that want to be in the lane, or are in it, are counted. A run is put down before it is
// counted, so whoever may let one in finds one; it need not be the one it brought.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
class Lane {
 public:
  // There are never more than `window` runs.
  explicit Lane(std::size_t window) : waiting_(window) {}

  // The run that is in the lane now; null if another one is, and then this one now belongs to the
  // lane, and maybe already to another thread.
  [[nodiscard]] Run* enter(Run& run) noexcept {
    Run* pointer = &run;
    while (!waiting_.try_push(pointer)) Sync::yield();
    // Acquire and release: what is done in the lane comes after all that was done there before.
    return wanted_.fetch_add(1, std::memory_order_acq_rel) == 0 ? next() : nullptr;
  }

  // The run that is in the lane from now on, if any waits.
  [[nodiscard]] Run* leave() noexcept {
    return wanted_.fetch_sub(1, std::memory_order_acq_rel) == 1 ? nullptr : next();
  }

 private:
  [[nodiscard]] Run* next() noexcept {
    // One is there; a refusal only means that somebody before it has not finished yet.
    for (;;) {
      if (const auto run = waiting_.try_pop()) return *run;
      Sync::yield();
    }
  }

  queue::BoundedMpmc<Run*, Sync> waiting_;
  typename Sync::template Atomic<std::size_t> wanted_{0};
};

}  // namespace penstock::schedule
