#pragma once

#include <vector>

#include "penstock/graph/operator.hpp"

namespace penstock::ops {

// Keeps the columns at the given positions, in that order. No byte is copied.
class Select final : public graph::Operator {
 public:
  explicit Select(std::vector<int> positions);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  std::vector<int> positions_;
};

}  // namespace penstock::ops
