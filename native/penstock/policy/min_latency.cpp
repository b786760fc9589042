#include "penstock/policy/min_latency.hpp"

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int MinLatency::pick(std::span<const OperatorView> operators, double /*now*/) {
  return least(operators, [&](std::size_t i) {
    return operators[i].source ? operators[i].last_run : operators[i].oldest;
  });
}

}  // namespace penstock::policy
