#pragma once

#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/expression/program.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops::expression {

// Keeps the rows for which a line of a program, the mask, is true; null is not true. Nothing is
// copied where the rows that pass follow each other.
class FilterRows final : public graph::Operator {
 public:
  // Throws std::invalid_argument if the mask is no boolean, or rows cannot be moved.
  FilterRows(const tuple::Schema& input, const std::vector<Instruction>& instructions, int mask);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  tuple::Gatherer gatherer_;
  Program program_;
  int mask_;
};

}  // namespace penstock::ops::expression
