#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/event_count.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/base/thread.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/doorbell.hpp"

namespace penstock::schedule {

// What a thread must do before it may run operators, and afterwards.
struct ThreadHooks {
  std::function<void()> on_start;
  std::function<void()> on_finish;
};

// Worker threads of which any number may be awake: the rest are suspended (S9, S10, S25), and
// started only when first needed. Leaving takes effect between two pieces of work.
template <Carrier Work, base::SyncPolicy Sync = base::RealSync>
class Crew {
 public:
  Crew(std::string name, Work& carrier, Doorbell<Sync>& doorbell, ThreadHooks hooks = {})
      : name_(std::move(name)),
        carrier_(&carrier),
        doorbell_(&doorbell),
        hooks_(std::move(hooks)) {}
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  Crew(Crew&&) = delete;
  Crew& operator=(Crew&&) = delete;
  ~Crew() { stop(); }

  // Workers that shall be awake. Called by one thread, the feeder or a controller.
  void set_level(int level) {
    while (static_cast<int>(threads_.size()) < level) {
      const int worker = static_cast<int>(threads_.size());
      threads_.emplace_back(base::ThreadOptions{.name = name_ + "-" + std::to_string(worker)},
                            [this, worker] { run(worker); });
    }
    level_.store(level, std::memory_order_relaxed);
    // Those to wake up look at the level, and so do those to suspend.
    level_changed_.notify_all();
    doorbell_->ring_all();
  }

  [[nodiscard]] int level() const noexcept { return level_.load(std::memory_order_relaxed); }

  // Every thread finishes the work it is at. Nothing is carried afterwards.
  void stop() noexcept {
    stopping_.store(true, std::memory_order_relaxed);
    level_changed_.notify_all();
    doorbell_->ring_all();
    threads_.clear();
  }

 private:
  [[nodiscard]] bool stopping() const noexcept { return stopping_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool suspended(int worker) const noexcept { return worker >= level(); }

  void run(int worker) {
    if (hooks_.on_start) hooks_.on_start();
    while (!stopping()) {
      if (suspended(worker)) {
        // F4: a wake-up that this thread took is handed over before it leaves.
        doorbell_->ring_worker();
        wait_for_level(worker);
      } else {
        step(worker);
      }
    }
    if (hooks_.on_finish) hooks_.on_finish();
  }

  void step(int worker) {
    auto work = carrier_->try_take();
    if (!work) {
      work = doorbell_->worker_sleep([this] { return carrier_->try_take(); },
                                     [this, worker] { return stopping() || suspended(worker); });
    }
    if (work) carrier_->carry(std::move(work));
  }

  void wait_for_level(int worker) {
    const auto key = level_changed_.prepare_wait();
    if (stopping() || !suspended(worker)) {
      level_changed_.cancel_wait();
    } else {
      level_changed_.wait(key).accept();
    }
  }

  const std::string name_;
  Work* const carrier_;
  Doorbell<Sync>* const doorbell_;
  const ThreadHooks hooks_;
  std::vector<typename Sync::Thread> threads_;
  typename Sync::template Atomic<int> level_{0};
  typename Sync::template Atomic<bool> stopping_{false};
  base::EventCount<Sync> level_changed_;
};

}  // namespace penstock::schedule
