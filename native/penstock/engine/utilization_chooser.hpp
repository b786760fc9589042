#pragma once

#include <functional>

#include "penstock/elastic/utilization_controller.hpp"
#include "penstock/engine/thread_chooser.hpp"
#include "penstock/engine/time_spent.hpp"

namespace penstock::engine {

// Threads by how busy they are (Sahin & Gedik 2018, §4.1). How finely stations are cut into stops
// is not tried out: a new number of threads gets the usual number of stops.
class UtilizationChooser final : public ThreadChooser {
 public:
  using Clock = std::function<TimeSpent(Nanoseconds now)>;

  UtilizationChooser(elastic::ThreadRange range, Clock clock);

  void begin_period(Nanoseconds now) override { begun_ = clock_(now); }
  elastic::PlanStep update(double throughput, bool cpu_ok, Nanoseconds now) override;
  elastic::PlanStep hold() override;
  elastic::PlanStep set_least_threads(int threads) override;
  elastic::PlanStep set_most_threads(int threads) override;
  elastic::PlanStep try_threads(int threads) override;
  [[nodiscard]] elastic::Plan plan() const override;
  [[nodiscard]] bool settled() const override { return controller_.settled(); }

 private:
  [[nodiscard]] double utilization(Nanoseconds now) const;
  [[nodiscard]] elastic::PlanStep after_limit(int previous) const;

  elastic::UtilizationController controller_;
  Clock clock_;
  TimeSpent begun_;  // when the period began
};

}  // namespace penstock::engine
