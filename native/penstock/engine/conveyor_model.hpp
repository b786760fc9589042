#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "penstock/engine/planned_conveyor.hpp"
#include "penstock/engine/threading_model.hpp"

namespace penstock::engine {

// `conveyor`: a run travels with its thread from operator to operator. The feeder is one of the
// threads: it carries runs whenever it has nothing to put in or to take out. Under `automatic` the
// control loop chooses the threads, one of them being the direct way, and where the stops are.
class ConveyorModel final : public ThreadingModel {
 public:
  ConveyorModel(FlowLine& line, int threads, schedule::WayLimits limits, const ThreadHooks& hooks)
      : conveyor_(line, threads, limits, "penstock", hooks) {}

  [[nodiscard]] FlowRun* try_admit() override { return conveyor_.try_admit(); }
  void start(FlowRun& run, bool /*more*/) override { conveyor_.load(run); }
  [[nodiscard]] FlowRun* try_collect() override { return conveyor_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return conveyor_.under_way() != 0; }
  void help(std::chrono::nanoseconds limit) override { conveyor_.help(limit); }

  void adopt(elastic::Plan plan) override { conveyor_.follow(plan); }
  [[nodiscard]] elastic::Plan plan() const override { return conveyor_.plan(); }
  [[nodiscard]] bool settled() const override { return conveyor_.settled(); }
  [[nodiscard]] int threads() const override { return conveyor_.crew().level() + 1; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return conveyor_.crew().level_with_late_ones() + 1;
  }

  [[nodiscard]] std::string refusal() const override { return conveyor_.crew().refusal(); }
  void dismiss() noexcept override { conveyor_.dismiss(); }
  [[nodiscard]] int at_work() const noexcept override { return conveyor_.crew().at_work(); }

 private:
  PlannedConveyor<FlowLine> conveyor_;
};

}  // namespace penstock::engine
