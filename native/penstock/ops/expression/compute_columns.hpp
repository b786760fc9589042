#pragma once

#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/expression/program.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops::expression {

// Makes each column of its output either from a column of the input, which is not copied, or from
// what a line of a program made.
class ComputeColumns final : public graph::Operator {
 public:
  struct Column {
    bool computed = false;
    int from = 0;  // a line of the program, or a column of the input
  };

  // Throws std::invalid_argument for columns or lines that do not exist.
  ComputeColumns(const tuple::Schema& input, const std::vector<Instruction>& instructions,
                 std::vector<Column> columns);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  Program program_;
  std::vector<Column> columns_;
};

}  // namespace penstock::ops::expression
