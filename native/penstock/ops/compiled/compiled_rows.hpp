#pragma once

#include <memory>
#include <utility>

#include "penstock/graph/operator.hpp"
#include "penstock/ops/compiled/compiled_function.hpp"

namespace penstock::ops {

// Gives rows to a compiled function that remembers nothing: any number of threads at once.
class CompiledRows final : public graph::Operator {
 public:
  explicit CompiledRows(CompiledFunction function) : function_(std::move(function)) {}

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

 private:
  CompiledFunction function_;
};

}  // namespace penstock::ops
