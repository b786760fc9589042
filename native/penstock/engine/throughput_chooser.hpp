#pragma once

#include "penstock/elastic/plan_controller.hpp"
#include "penstock/engine/thread_chooser.hpp"

namespace penstock::engine {

// Threads, and with `moves_stops` stops, by what they bring: the plan controller.
class ThroughputChooser final : public ThreadChooser {
 public:
  ThroughputChooser(elastic::ThreadRange range, bool moves_stops)
      : controller_({.levels = {}, .range = range}, moves_stops) {}

  elastic::PlanStep update(double throughput, bool cpu_ok, Nanoseconds /*now*/) override {
    return controller_.update(throughput, cpu_ok);
  }
  elastic::PlanStep hold() override { return controller_.hold(); }
  elastic::PlanStep set_least_threads(int threads) override {
    return controller_.set_least_threads(threads);
  }
  elastic::PlanStep set_most_threads(int threads) override {
    return controller_.set_most_threads(threads);
  }
  elastic::PlanStep try_threads(int threads) override { return controller_.try_threads(threads); }
  [[nodiscard]] elastic::Plan plan() const override { return controller_.plan(); }
  [[nodiscard]] bool settled() const override { return controller_.settled(); }

 private:
  elastic::PlanController controller_;
};

}  // namespace penstock::engine
