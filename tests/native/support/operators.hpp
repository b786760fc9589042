#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/operator.hpp"

#include "support/int_batch.hpp"

namespace penstock::support {

// An operator written as a function from values to values.
class IntOperator final : public graph::Operator {
 public:
  using Function = std::function<std::vector<std::int64_t>(const std::vector<std::int64_t>&)>;

  explicit IntOperator(Function function, int ports = 1)
      : function_(std::move(function)), ports_(ports) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    for (int port = 0; port < ports_; ++port) {
      output.emit(make_int_batch(function_(read_column(tuple.batch))), port);
    }
  }

 private:
  Function function_;
  int ports_;
};

inline std::unique_ptr<graph::Operator> add(std::int64_t amount) {
  return std::make_unique<IntOperator>([amount](std::vector<std::int64_t> values) {
    for (auto& value : values) value += amount;
    return values;
  });
}

inline std::unique_ptr<graph::Operator> keep_even() {
  return std::make_unique<IntOperator>([](const std::vector<std::int64_t>& values) {
    std::vector<std::int64_t> kept;
    for (const auto value : values) {
      if (value % 2 == 0) kept.push_back(value);
    }
    return kept;
  });
}

inline std::unique_ptr<graph::Operator> fail_at(std::int64_t bad) {
  return std::make_unique<IntOperator>([bad](const std::vector<std::int64_t>& values) {
    for (const auto value : values) {
      if (value == bad) throw std::runtime_error("met " + std::to_string(bad));
    }
    return values;
  });
}

}  // namespace penstock::support
