#pragma once

#include <algorithm>
#include <vector>

#include "penstock/engine/levers.hpp"

namespace penstock {

// Levers that do nothing but remember; time and rows are turned by hand.
class LeversBench final : public engine::Levers {
 public:
  void adopt(elastic::Plan plan) override {
    plan_ = plan;
    adopted.push_back(plan);
    is_settled = !slow_to_settle;
  }
  [[nodiscard]] elastic::Plan plan() const override { return plan_; }
  [[nodiscard]] bool settled() const override { return is_settled; }
  [[nodiscard]] int threads() const override { return plan_.threads; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return std::max(plan_.threads, stuck);
  }

  std::vector<elastic::Plan> adopted;
  bool slow_to_settle = false;
  bool is_settled = true;
  int stuck = 0;

 private:
  elastic::Plan plan_;
};

}  // namespace penstock
