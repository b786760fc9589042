#include "penstock/policy/least_recent.hpp"

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int LeastRecent::pick(std::span<const OperatorView> operators, double /*now*/) {
  return least(operators, [&](std::size_t i) { return operators[i].last_run; });
}

}  // namespace penstock::policy
