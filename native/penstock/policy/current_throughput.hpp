#pragma once

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// CT (Prasaad et al. 2018, §6.4): the operator with the lowest throughput in the current window,
// counted in tuples that entered the pipeline: n_i = (T_i + w_i * slice) / (c_i * cs_{i-1}), with
// what reaches an operator of each such tuple instead of what leaves it (A31). One that has not
// run in the window did nothing, and one that ran at no cost, or that nothing should reach, has
// done infinitely much.
class CurrentThroughput final : public Policy {
 public:
  explicit CurrentThroughput(double slice) : slice_(slice) {}

  [[nodiscard]] int pick(std::span<const OperatorView> operators, double now) override;

 private:
  double slice_;
};

}  // namespace penstock::policy
