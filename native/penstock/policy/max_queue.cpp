#include "penstock/policy/max_queue.hpp"

#include <cstddef>
#include <limits>

namespace penstock::policy {

int MaxQueue::pick(std::span<const OperatorView> operators, double /*now*/) {
  candidates_.clear();
  std::int64_t most = -1;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const OperatorView& view = operators[i];
    if (!schedulable(view)) continue;
    const auto length = view.source ? std::numeric_limits<std::int64_t>::max() : view.waiting;
    if (length < most) continue;
    if (length > most) candidates_.clear();
    most = length;
    candidates_.push_back(static_cast<int>(i));
  }
  return lot_.draw(candidates_);
}

}  // namespace penstock::policy
