#include "penstock/policy/last_in_pipeline.hpp"

#include "penstock/policy/choose.hpp"

namespace penstock::policy {

int LastInPipeline::pick(std::span<const OperatorView> operators, double /*now*/) {
  return furthest(operators);
}

}  // namespace penstock::policy
