#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/event_count.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::schedule {

// What a thread must do before it may run operators, and afterwards. Workers are numbered from 1;
// 0 is the feeder, which needs no hook.
struct ThreadHooks {
  std::function<void(int worker)> on_start;
  std::function<void()> on_finish;
  std::span<WorkerMeter<>> meters;  // by number; whoever has none is not measured

  [[nodiscard]] WorkerMeter<>* meter(int worker) const noexcept {
    const auto index = static_cast<std::size_t>(worker);
    return index < meters.size() ? &meters[index] : nullptr;
  }
};

// Worker threads of which any number may be awake: the rest are suspended (S9, S10), and started
// only when first needed. Leaving takes effect between two pieces of work, so a thread that an
// operator never gives back does not leave, and that can be seen (S17, S25).
template <Carrier Work, base::SyncPolicy Sync = base::RealSync>
class Crew {
 public:
  Crew(std::string name, Work& carrier, Doorbell<Sync>& doorbell, ThreadHooks hooks = {})
      : name_(std::move(name)), carrier_(&carrier), doorbell_(&doorbell), hooks_(std::move(hooks)) {
    doorbell.meter_feeder(hooks_.meter(0));
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;
  ~Crew() { stop(); }

  // Workers that shall be awake; fewer where the system gives no more threads, because the feeder
  // alone is always enough. Called by one thread, the feeder or a controller.
  void set_level(int level) {
    start_missing(level);
    level = std::min(level, size());
    level_.store(level, std::memory_order_relaxed);
    // Those to wake up look at the level, and so do those to suspend.
    level_changed_.notify_all();
    doorbell_->ring_all();
  }

  // Why there are fewer threads than were asked for; empty when there are not. For whoever calls
  // set_level().
  [[nodiscard]] const std::string& refusal() const noexcept { return refusal_; }

  [[nodiscard]] int level() const noexcept { return level_.load(std::memory_order_relaxed); }

  // The level, or a higher one that takes in every thread which was told to leave and is still
  // at work. For whoever calls set_level().
  [[nodiscard]] int level_with_late_ones() const noexcept {
    int last = size();
    while (last > level() && !places_[static_cast<std::size_t>(last - 1)]->at_work()) --last;
    return std::max(last, level());
  }

  // Threads inside an operator, or on the way from one to the next. For whoever calls set_level().
  [[nodiscard]] int at_work() const noexcept {
    int at_work = 0;
    for (const auto& place : places_) {
      if (place->at_work()) ++at_work;
    }
    return at_work;
  }

  // Asks every thread to leave after the work it is at, and does not wait for it.
  void dismiss() noexcept {
    stopping_.store(true, std::memory_order_relaxed);
    level_changed_.notify_all();
    doorbell_->ring_all();
  }

  // Every thread finishes the work it is at. Nothing is carried afterwards.
  void stop() noexcept {
    dismiss();
    places_.clear();
  }

 private:
  // What one worker says about itself; nobody else writes it.
  struct alignas(base::kCacheLine) Place {
    [[nodiscard]] bool at_work() const noexcept { return busy.load(std::memory_order_relaxed); }

    typename Sync::template Atomic<bool> busy{false};
    typename Sync::Thread thread;  // last: it uses the rest
  };

  [[nodiscard]] int size() const noexcept { return static_cast<int>(places_.size()); }

  void start_missing(int level) {
    places_.reserve(static_cast<std::size_t>(std::max(level, size())));
    while (size() < level) {
      const int worker = size();
      auto place = std::make_unique<Place>();
      try {
        place->thread =
            typename Sync::Thread(base::ThreadOptions{.name = name_ + "-" + std::to_string(worker)},
                                  [this, worker, &place = *place] { run(worker, place); });
      } catch (const std::system_error& refused) {
        refusal_ = refused.what();
        return;
      }
      places_.push_back(std::move(place));
    }
  }

  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool suspended(int worker) const noexcept { return worker >= level(); }

  void run(int worker, Place& place) {
    if (hooks_.on_start) hooks_.on_start(worker + 1);
    auto* const meter = hooks_.meter(worker + 1);
    if (meter != nullptr) meter->start(Sync::now());
    while (!stopping()) {
      if (suspended(worker)) {
        // F4: a wake-up that this thread took is handed over before it leaves.
        doorbell_->ring_worker();
        wait_for_level(worker);
      } else {
        step(worker, place);
      }
    }
    if (meter != nullptr) meter->finish(Sync::now());
    if (hooks_.on_finish) hooks_.on_finish();
  }

  void step(int worker, Place& place) {
    auto* const meter = hooks_.meter(worker + 1);
    auto work = carrier_->try_take();
    if (!work) {
      const Resting<Sync> asleep(meter, Rest::kAsleep);
      work = doorbell_->worker_sleep([this] { return carrier_->try_take(); },
                                     [this, worker] { return stopping() || suspended(worker); });
    }
    if (!work) return;
    place.busy.store(true, std::memory_order_relaxed);
    carrier_->carry(std::move(work));
    place.busy.store(false, std::memory_order_relaxed);
    if (meter != nullptr) meter->carried();
  }

  void wait_for_level(int worker) {
    const auto key = level_changed_.prepare_wait();
    if (stopping() || !suspended(worker)) {
      level_changed_.cancel_wait();
    } else {
      const Resting<Sync> away(hooks_.meter(worker + 1), Rest::kAway);
      level_changed_.wait(key).accept();
    }
  }

  const std::string name_;
  Work* const carrier_;
  Doorbell<Sync>* const doorbell_;
  const ThreadHooks hooks_;
  typename Sync::template Atomic<int> level_{0};
  typename Sync::template Atomic<bool> stopping_{false};
  base::EventCount<Sync> level_changed_;
  std::string refusal_;
  std::vector<std::unique_ptr<Place>> places_;  // last: their threads use the rest
};

}  // namespace penstock::schedule
