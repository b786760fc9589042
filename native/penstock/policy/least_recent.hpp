#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// The operator that was run longest ago (Sahin & Gedik 2018, §3.2.5, LeastRecentlyRun).
class LeastRecent final : public Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;
};

}  // namespace penstock::policy
