#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// The operator whose first tuple has waited longest, of a source its last run (Sahin & Gedik 2018,
// §3.2.5, MinLatency; its figures say MaxTupleWait).
class MinLatency final : public Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;
};

}  // namespace penstock::policy
