#pragma once

#include <memory>

#include "penstock/base/sync.hpp"

namespace penstock::queue {

// An exclusive claim that is refused rather than waited for (Schneider & Wu 2017, §4.1.1).
template <base::SyncPolicy Sync = base::RealSync>
class RoleFlag {
  struct GiveBack {
    // Release: whatever the holder wrote is visible to the next thread that takes the role.
    void operator()(RoleFlag* role) const noexcept {
      role->taken_.store(false, std::memory_order_release);
    }
  };

 public:
  // Proof of holding the role; destroying it gives the role back.
  using Held = std::unique_ptr<RoleFlag, GiveBack>;

  // Null when another thread holds the role.
  [[nodiscard]] Held try_take() noexcept {
    // Look before leaping: a failed exchange still pulls the cache line away from the
    // holder, and under contention failing is the common case.
    const bool taken =
        taken_.load(std::memory_order_relaxed) || taken_.exchange(true, std::memory_order_acquire);
    return Held(taken ? nullptr : this);
  }

 private:
  typename Sync::template Atomic<bool> taken_{false};
};

}  // namespace penstock::queue
