#include "penstock/policy/queue_throttling.hpp"

#include <algorithm>
#include <cstddef>

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int QueueThrottling::pick(std::span<const OperatorView> operators, double /*now*/) {
  double made_of_one = 1;
  double sum = 0;
  for (const OperatorView& view : operators) sum += made_of_one *= view.selectivity;
  made_of_one = 1;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const OperatorView& view = operators[i];
    made_of_one *= view.selectivity;
    const double share = sum > 0 ? std::max(1.0, capacity_ * made_of_one / sum) : 1;
    const bool last = i + 1 == operators.size();
    if (schedulable(view) && (last || static_cast<double>(view.made) < share)) {
      return static_cast<int>(i);
    }
  }
  return furthest(operators);
}

}  // namespace penstock::policy
