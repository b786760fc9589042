#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/policy/policy.hpp"

#include "penstock_policy.h"

namespace penstock::policy {

// A policy that was compiled elsewhere, against penstock_policy.h.
class CustomPolicy final : public Policy {
 public:
  // `owner` keeps the functions where they are.
  CustomPolicy(const penstock_policy& functions, std::shared_ptr<const void> owner,
               std::size_t operators, std::uint64_t seed);
  CustomPolicy(const CustomPolicy&) = delete;
  CustomPolicy& operator=(const CustomPolicy&) = delete;
  CustomPolicy(CustomPolicy&&) = delete;
  CustomPolicy& operator=(CustomPolicy&&) = delete;
  ~CustomPolicy() override;

  // What it says, whatever that is.
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;

 private:
  penstock_policy functions_;
  std::shared_ptr<const void> owner_;
  void* state_;
  std::vector<penstock_operator_view> views_;  // kept so that picking allocates nothing
};

}  // namespace penstock::policy
