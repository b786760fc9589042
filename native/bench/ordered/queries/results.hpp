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
      outputs_.push_back({.at = row.at,
                          .who = row.who,
                          .item = row.item,
                          .other = row.other,
                          .amount = row.amount});
      return;
    }
    // At the start and the end the queues are not full.
    const bool is_inside = row.at * 10 >= input_rows_ * 2 && row.at * 10 <= input_rows_ * 8;
    (is_inside ? inside_ : outside_).push_back(steady_ns() - row.entered);
  }

  [[nodiscard]] const std::vector<Output>& outputs() const noexcept { return outputs_; }
  // Nanoseconds from the first operator's start to here (P3), of the middle marks (P15), or of all
  // when there are none in the middle.
  [[nodiscard]] std::vector<std::int64_t>& latencies() noexcept {
    return inside_.empty() ? outside_ : inside_;
  }

 private:
  std::int64_t input_rows_;
  std::vector<Output> outputs_;
  std::vector<std::int64_t> inside_;
  std::vector<std::int64_t> outside_;
};

}  // namespace penstock::bench::queries
