#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "penstock/engine/budget_loop.hpp"
#include "penstock/engine/control_loop.hpp"
#include "penstock/engine/options.hpp"
#include "penstock/engine/outside.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::engine {

// How many threads and channels a flow uses: the control loop where the flow is elastic, and what
// others ask for. The feeder calls step() often; the rest is for any thread.
class Governor {
 public:
  explicit Governor(const Options& options) : options_(&options) {}

  // For the feeder, before there are threads: how many to begin with.
  [[nodiscard]] int begin();
  // For the feeder, once there are threads, which have meters where needs_meters() says so.
  void start(ThreadingModel& model, ChannelLevers& channels,
             std::span<const schedule::WorkerMeter<>> meters);
  void step(ThreadingModel& model);
  void collected(std::int64_t rows) noexcept {
    rows_ += rows;
    if (loop_) loop_->collected(rows);
  }
  // Where the feeder says that it leaves the flow and comes back: to pull input, and to whoever
  // takes the output. Null if nobody wants to know.
  [[nodiscard]] Outside<>* at_input() noexcept { return loop_ ? &at_input_ : nullptr; }
  [[nodiscard]] Outside<>* at_taker() noexcept { return loop_ ? &at_taker_ : nullptr; }
  // How long the feeder may wait for others, at most `longest`, so that step() is called in time.
  [[nodiscard]] std::chrono::nanoseconds nap(std::chrono::nanoseconds longest) const noexcept;
  // A flow that never began has no thread to wait for.
  void end() noexcept {
    if (!begun_ && options_->budget) options_->budget->leave();
  }

  // At most so many threads from now on, where the model can change them.
  void limit_threads(int most);
  // What was decided so far, with its reasons.
  [[nodiscard]] std::vector<Action> actions() const;

 private:
  [[nodiscard]] bool changes_threads() const noexcept;
  [[nodiscard]] bool time_to_look() noexcept;
  [[nodiscard]] bool time_for_the_budget() noexcept;
  void limit_to(int most, ThreadingModel& model);
  void use_threads(int threads, const std::string& reason, const std::string& why,
                   ThreadingModel& model);
  void keep_to_the_budget(ThreadingModel& model);
  void follow(const BudgetLoop::Change& change, ThreadingModel& model);
  void publish_actions();

  const Options* options_;
  bool begun_ = false;
  std::optional<BudgetLoop> budget_;  // where there is one and the model can change its threads
  std::optional<ControlLoop> loop_;
  Outside<> at_input_;
  Outside<> at_taker_;
  std::deque<Action> own_actions_;  // where there is no control loop
  std::chrono::nanoseconds began_{};
  std::int64_t rows_ = 0;
  std::uint64_t noted_ = 0;
  std::chrono::nanoseconds looked_{};  // by the coarse clock
  std::chrono::nanoseconds looked_for_budget_{};
  std::atomic<int> most_threads_{0};  // asked for and not yet passed on, or 0
  mutable std::mutex mutex_;
  std::vector<Action> actions_;  // a copy for other threads
};

}  // namespace penstock::engine
