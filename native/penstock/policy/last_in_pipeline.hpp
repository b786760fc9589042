#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// LP (Prasaad et al. 2018, §6.2): the operator nearest to the end for which something waits.
class LastInPipeline final : public Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;
};

}  // namespace penstock::policy
