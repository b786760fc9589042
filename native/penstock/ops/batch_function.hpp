#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "penstock/graph/operator.hpp"

namespace penstock::ops {

// Calls a function on the rows of each tuple; what it returns, if anything, goes on. This is how
// a body written in another language joins a flow.
class BatchFunction final : public graph::Operator {
 public:
  using Function = std::function<std::optional<tuple::Batch>(tuple::Batch)>;

  explicit BatchFunction(Function function, bool in_lane = false)
      : function_(std::move(function)), in_lane_(in_lane) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    if (auto made = function_(tuple.batch)) output.emit(std::move(*made), 0);
  }

  [[nodiscard]] bool in_lane() const noexcept override { return in_lane_; }

 private:
  Function function_;
  bool in_lane_;
};

}  // namespace penstock::ops
