#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "penstock/engine/control_loop.hpp"
#include "penstock/engine/options.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::engine {

// How many threads and channels a flow uses: the control loop where the flow is elastic, and what
// others ask for. The feeder calls step() often; the rest is for any thread.
class Governor {
 public:
  explicit Governor(const Options& options) : options_(&options) {}

  // For the feeder, once there are threads, which have meters where needs_meters() says so.
  void start(ThreadingModel& model, ChannelLevers& channels,
             std::span<const schedule::WorkerMeter<>> meters);
  void step(ThreadingModel& model);
  void collected(std::int64_t rows) noexcept {
    if (loop_) loop_->collected(rows);
  }

  // At most so many threads from now on, where the model can change them.
  void limit_threads(int most);
  // What was decided so far, with its reasons.
  [[nodiscard]] std::vector<Action> actions() const;

 private:
  [[nodiscard]] bool time_to_look() noexcept;

  const Options* options_;
  std::optional<ControlLoop> loop_;
  std::uint64_t noted_ = 0;
  std::chrono::nanoseconds looked_{};  // by the coarse clock
  std::atomic<int> most_threads_{0};   // asked for and not yet passed on, or 0
  mutable std::mutex mutex_;
  std::vector<Action> actions_;  // a copy for other threads
};

}  // namespace penstock::engine
