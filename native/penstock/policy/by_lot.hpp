#pragma once

#include <cstdint>
#include <vector>

#include "penstock/policy/choose.hpp"
#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// Any schedulable operator, each as likely as the others (Sahin & Gedik 2018, §3.2.5, Random).
class ByLot final : public Policy {
 public:
  explicit ByLot(std::uint64_t seed) : lot_(seed) {}

  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;

 private:
  Lot lot_;
  std::vector<int> candidates_;  // kept so that picking allocates nothing
};

}  // namespace penstock::policy
