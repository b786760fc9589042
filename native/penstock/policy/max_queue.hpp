#pragma once

#include <cstdint>
#include <vector>

#include "penstock/policy/choose.hpp"
#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// The operator for which most waits; a source that can run comes before all others, and equals are
// chosen by lot (Sahin & Gedik 2018, §3.2.5, MaxQueueLength).
class MaxQueue final : public Policy {
 public:
  explicit MaxQueue(std::uint64_t seed) : lot_(seed) {}

  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;

 private:
  Lot lot_;
  std::vector<int> candidates_;  // kept so that picking allocates nothing
};

}  // namespace penstock::policy
