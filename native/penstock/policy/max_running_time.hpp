#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// The operator that can run longest, until nothing waits for it or there is no room behind it
// (Sahin & Gedik 2018, §3.2.5, MaxRunningTime). One whose rates are not known yet could run for
// ever, so it is tried and they become known.
class MaxRunningTime final : public Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;
};

}  // namespace penstock::policy
