#include "penstock/policy/current_throughput.hpp"

#include <limits>

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int CurrentThroughput::pick(std::span<const OperatorView> operators, double /*now*/) {
  double reaching = 1;  // of each tuple that entered
  std::size_t reached = 0;
  return least(operators, [&](std::size_t i) {
    for (; reached < i; ++reached) reaching *= operators[reached].selectivity;
    const OperatorView& view = operators[i];
    const double time = view.window_time + view.workers * slice_;
    if (time <= 0) return 0.0;
    const double each = view.cost * reaching;
    return each > 0 ? time / each : std::numeric_limits<double>::infinity();
  });
}

}  // namespace penstock::policy
