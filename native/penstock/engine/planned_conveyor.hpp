#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "penstock/elastic/placement.hpp"
#include "penstock/elastic/plan_controller.hpp"
#include "penstock/schedule/elastic_conveyor.hpp"

namespace penstock::engine {

// An elastic conveyor that is told how many threads and stops it shall have, or to do with queues,
// and finds out by itself where the stops belong.
template <schedule::RunnableLine Line>
class PlannedConveyor : public schedule::ElasticConveyor<Line> {
 public:
  PlannedConveyor(Line& line, int threads, schedule::WayLimits limits, std::string name,
                  schedule::ThreadHooks hooks = {})
      : schedule::ElasticConveyor<Line>(line, limits, std::move(name), std::move(hooks)) {
    follow({.threads = threads, .stops_per_thread = elastic::PlanController::kStopsPerThread});
  }

  // The stops are placed anew, also by the plan that is followed already.
  void follow(elastic::Plan plan) {
    plan_ = plan;
    if (plan.stops_per_thread == elastic::Plan::kQueues) {
      this->adopt({.threads = plan.threads, .firsts = this->layout().firsts, .queues = true});
    } else {
      this->adopt({.threads = plan.threads, .firsts = place()});
    }
  }
  [[nodiscard]] elastic::Plan plan() const noexcept { return plan_; }

 private:
  // By what the stations were measured to cost so far, as far as the line knows nothing better.
  [[nodiscard]] std::vector<int> place() {
    auto& fused = this->line();
    auto costs = fused.costs().totals();
    if constexpr (requires { fused.line().share_out(costs); }) fused.line().share_out(costs);
    std::vector<elastic::StationFacts> stations;
    stations.reserve(costs.size());
    for (int i = 0; i < fused.line().stations(); ++i) {
      stations.push_back({.cost = costs[static_cast<std::size_t>(i)],
                          .serial = fused.line().serial(i),
                          .bound = fused.bound(i),
                          .lane = schedule::in_lane(fused.line(), i)});
    }
    return elastic::place_stops(stations, plan_.stops_per_thread * plan_.threads);
  }

  elastic::Plan plan_;
};

}  // namespace penstock::engine
