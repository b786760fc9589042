#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "penstock/elastic/placement.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/schedule/elastic_conveyor.hpp"

namespace penstock::engine {

// `conveyor`: a run travels with its thread from operator to operator. The feeder is one of the
// threads: it carries runs whenever it has nothing to put in or to take out. Under `automatic` the
// control loop chooses the threads, one of them being the direct way, and where the stops are.
class ConveyorModel final : public ThreadingModel {
 public:
  ConveyorModel(FlowLine& line, int threads, std::size_t window, const ThreadHooks& hooks)
      : conveyor_(line, window, "penstock", hooks) {
    adopt({.threads = threads, .stops_per_thread = elastic::PlanController::kStopsPerThread});
  }

  [[nodiscard]] FlowRun* try_admit() override { return conveyor_.try_admit(); }
  void start(FlowRun& run) override { conveyor_.load(run); }
  [[nodiscard]] FlowRun* try_collect() override { return conveyor_.try_collect(); }
  [[nodiscard]] bool under_way() const override { return conveyor_.under_way() != 0; }
  void help(std::chrono::nanoseconds limit) override { conveyor_.help(limit); }

  void adopt(elastic::Plan plan) override {
    plan_ = plan;
    conveyor_.adopt({.threads = plan.threads, .firsts = place()});
  }
  [[nodiscard]] elastic::Plan plan() const override { return plan_; }
  [[nodiscard]] bool settled() const override { return conveyor_.settled(); }

  [[nodiscard]] int threads() const override { return conveyor_.crew().level() + 1; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return conveyor_.crew().level_with_late_ones() + 1;
  }
  void dismiss() noexcept override { conveyor_.dismiss(); }
  [[nodiscard]] int at_work() const noexcept override { return conveyor_.crew().at_work(); }

 private:
  // By what the stations were measured to cost so far.
  [[nodiscard]] std::vector<int> place() {
    auto& fused = conveyor_.line();
    const auto costs = fused.costs().totals();
    std::vector<elastic::StationFacts> stations;
    for (int i = 0; i < fused.line().stations(); ++i) {
      stations.push_back({.cost = costs[static_cast<std::size_t>(i)],
                          .serial = fused.line().serial(i),
                          .bound = fused.bound(i)});
    }
    return elastic::place_stops(stations, plan_.stops_per_thread * plan_.threads);
  }

  schedule::ElasticConveyor<FlowLine> conveyor_;
  elastic::Plan plan_;
};

}  // namespace penstock::engine
