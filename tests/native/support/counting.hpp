#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "penstock/graph/divided_operator.hpp"

#include "support/int_batch.hpp"

namespace penstock::support {

// How often each value came up to its row. A value's remainder is its part; large ones are refused.
class Counting final : public graph::DividedOperator {
 public:
  static constexpr std::int64_t kTooLarge = 1'000'000;

  explicit Counting(int parts) : seen_(static_cast<std::size_t>(parts)) {}

  [[nodiscard]] int parts() const noexcept override { return static_cast<int>(seen_.size()); }

  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, const graph::Division& /*division*/,
      std::unique_ptr<graph::Pieces> used) const override {
    if (used == nullptr) used = std::make_unique<Counted>();
    auto& counted = static_cast<Counted&>(*used);
    counted.values = read_column(tuple.batch, 0);
    counted.counts.assign(counted.values.size(), 0);
    return used;
  }

  void process_part(int part, const tuple::Tuple& /*tuple*/, graph::Pieces& pieces) override {
    auto& counted = static_cast<Counted&>(pieces);
    auto& seen = seen_[static_cast<std::size_t>(part)];
    for (std::size_t row = 0; row < counted.values.size(); ++row) {
      const std::int64_t value = counted.values[row];
      if (value % parts() != part) continue;
      if (value >= kTooLarge) {
        throw graph::FailedAtRow(static_cast<std::int64_t>(row),
                                 std::make_exception_ptr(std::runtime_error("too large")));
      }
      counted.counts[row] = ++seen[value];
    }
  }

  void join(const tuple::Tuple& /*tuple*/, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override {
    auto counts = static_cast<Counted&>(pieces).counts;
    counts.resize(static_cast<std::size_t>(rows));
    output.emit(make_int_batch(std::move(counts)), 0);
  }

 private:
  struct Counted final : graph::Pieces {
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> counts;
  };

  std::vector<std::map<std::int64_t, std::int64_t>> seen_;
};

}  // namespace penstock::support
