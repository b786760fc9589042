#pragma once

#include <cstdint>
#include <vector>

#include "bench/ordered/queries/row.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::queries {

// Where a query's rows and marks arrive. One at a time may call take(): that is the contender's
// business.
class Results {
 public:
  explicit Results(std::int64_t input_rows) : input_rows_(input_rows) {}

  void take(const Row& row) {
    if (!row.mark) {
      outputs_.push_back({row.at, row.who, row.item, row.other, row.amount});
    } else if (row.at * 10 >= input_rows_ * 2 && row.at * 10 <= input_rows_ * 8) {
      latencies_.push_back(steady_ns() - row.entered);  // at the start and the end it is not full
    }
  }

  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return outputs_; }
  // Nanoseconds from the first operator's start to here (P3), of the middle marks (P15).
  [[nodiscard]] std::vector<std::int64_t>& latencies() noexcept { return latencies_; }

 private:
  std::int64_t input_rows_;
  std::vector<Output> outputs_;
  std::vector<std::int64_t> latencies_;
};

}  // namespace penstock::bench::queries
