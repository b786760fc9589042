#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// ET (Prasaad et al. 2018, §6.3): the operator that would take longest for what waits for it if
// one more worker came: I_i * c_i / (w_i + 1). What costs nothing as far as is known comes last.
class EstimatedTime final : public Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;
};

}  // namespace penstock::policy
