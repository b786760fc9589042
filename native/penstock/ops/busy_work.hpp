#pragma once

#include <cstdint>

#include "penstock/graph/operator.hpp"

namespace penstock::ops {

// The papers' synthetic operator (G18): works a given time for each row and adds what came out as a
// column of 64-bit whole numbers, which depends on nothing but the row. For measuring.
class BusyWork final : public graph::Operator {
 public:
  // `column` is one of 64-bit whole numbers; its nulls count as 0. For each row there are so many
  // multiplications, each of which needs the result of the one before. Throws std::invalid_argument
  // if a number is negative.
  BusyWork(int column, std::int64_t rounds);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }

  // What a row's value becomes.
  [[nodiscard]] static std::uint64_t work(std::uint64_t value, std::int64_t rounds) noexcept {
    for (std::int64_t round = 0; round < rounds; ++round) value = value * kFactor + 1;
    return value;
  }

 private:
  static constexpr std::uint64_t kFactor = 6364136223846793005U;  // Knuth's MMIX

  int column_;
  std::int64_t rounds_;
};

}  // namespace penstock::ops
