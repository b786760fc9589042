#include "penstock/policy/estimated_time.hpp"

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int EstimatedTime::pick(std::span<const OperatorView> operators, double /*now*/) {
  return least(operators, [&](std::size_t i) {
    const OperatorView& view = operators[i];
    return -static_cast<double>(view.waiting) * view.cost / (view.workers + 1);
  });
}

}  // namespace penstock::policy
