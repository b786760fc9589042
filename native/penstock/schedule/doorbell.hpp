#pragma once

#include <chrono>
#include <optional>
#include <type_traits>

#include "penstock/base/event_count.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::schedule {

// Wakes whoever sleeps for want of work. Workers sleep for something to carry; the feeder, which
// lends a hand when it has nothing better to do, also for runs to collect.
//
// Work goes to a worker if one sleeps and to the feeder otherwise: the feeder may leave at any
// moment with what it has collected, so it must not be given work that a sleeping worker could
// do. The feeder alone is woken for what it alone can do.
template <base::SyncPolicy Sync = base::RealSync>
class Doorbell {
 public:
  // There is one more thing to carry.
  void ring_worker() noexcept {
    // Pairs with the announcement of whoever goes to sleep: it sees the work, or is seen here. A
    // worker seen here that stays up or leaves after all rings on.
    Sync::fence_seq_cst();
    if (workers_.waiters_hint() != 0) {
      workers_.notify_one();
    } else {
      feeder_.notify_one();
    }
  }

  // Stale before it returns: a reason to share work, or not.
  [[nodiscard]] bool somebody_sleeps() const noexcept {
    return workers_.waiters_hint() != 0 || feeder_sleeps();
  }
  [[nodiscard]] bool feeder_sleeps() const noexcept { return feeder_.waiters_hint() != 0; }

  // There is something to collect, or the feeder must look at a flag.
  void ring_feeder() noexcept { feeder_.notify_one(); }

  void ring_all() noexcept {
    workers_.notify_all();
    feeder_.notify_all();
  }

  // Sleeps unless `take()` finds work or `stays_up()`; work that was found is returned. A worker
  // that returns without work looks again before it sleeps, or rings when it leaves.
  template <typename Take, typename Reason>
  [[nodiscard]] auto worker_sleep(Take take, Reason stays_up) {
    return sleep(workers_, take, stays_up);
  }
  // With a limit, the feeder comes back after it in any case.
  template <typename Take, typename Reason>
  [[nodiscard]] auto feeder_sleep(Take take, Reason stays_up,
                                  std::optional<std::chrono::nanoseconds> limit = {}) {
    const Resting<Sync> asleep(feeder_meter_, Rest::kAsleep);
    return sleep(feeder_, take, stays_up, limit);
  }

  // Measures the feeder from now on; null ends it.
  void meter_feeder(WorkerMeter<>* meter) noexcept { feeder_meter_ = meter; }
  // The feeder carried a piece of work.
  void feeder_carried() noexcept {
    if (feeder_meter_ != nullptr) feeder_meter_->carried();
  }

 private:
  template <typename Take, typename Reason>
  std::invoke_result_t<Take&> sleep(base::EventCount<Sync>& events, Take& take, Reason& stays_up,
                                    std::optional<std::chrono::nanoseconds> limit = {}) {
    const auto key = events.prepare_wait();
    if (stays_up()) {
      events.cancel_wait();
      return {};
    }
    auto work = take();
    if (work) {
      events.cancel_wait();
      // Somebody may have rung for this thread in between, for other work than this.
      ring_worker();
      return work;
    }
    (limit ? events.wait_for(key, *limit) : events.wait(key)).accept();
    return {};
  }

  base::EventCount<Sync> workers_;
  base::EventCount<Sync> feeder_;
  WorkerMeter<>* feeder_meter_ = nullptr;  // the feeder's
};

}  // namespace penstock::schedule
