#include "penstock/policy/by_lot.hpp"

#include <cstddef>

namespace penstock::policy {

int ByLot::pick(std::span<const OperatorView> operators, double /*now*/) {
  candidates_.clear();
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (schedulable(operators[i])) candidates_.push_back(static_cast<int>(i));
  }
  return lot_.draw(candidates_);
}

}  // namespace penstock::policy
