#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// Adds columns to every row: what aggregates over all rows of the same key are after that row.
class RunningAggregate final : public graph::DividedOperator {
 public:
  struct Options {
    std::vector<int> keys;  // columns that make up the key
    std::vector<Aggregate> aggregates;
    int parts = 1;
    std::size_t most_bytes = 0;  // of memory for what is known of the keys; 0 for any
  };

  // Throws std::invalid_argument, naming the column, for what cannot be a key or be aggregated.
  RunningAggregate(const tuple::Schema& input, const Options& options);
  RunningAggregate(const RunningAggregate&) = delete;
  RunningAggregate& operator=(const RunningAggregate&) = delete;
  RunningAggregate(RunningAggregate&&) = delete;
  RunningAggregate& operator=(RunningAggregate&&) = delete;
  ~RunningAggregate() override;

  [[nodiscard]] int parts() const noexcept override { return static_cast<int>(parts_.size()); }
  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, const graph::Division& division,
      std::unique_ptr<graph::Pieces> used) const override;
  void process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) override;
  void join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override;

 private:
  struct Part;
  struct Kept;

  void cut_by_key(const tuple::Batch& batch, Kept& kept) const;
  void make_columns(std::int64_t rows, Kept& kept) const;
  // Throws std::length_error.
  void check_memory(Part& part);

  tuple::KeyColumns keys_;
  std::vector<Aggregate> aggregates_;
  std::vector<std::int64_t> widths_;  // by aggregate
  std::vector<std::unique_ptr<Part>> parts_;
  std::size_t most_bytes_;
  std::atomic<std::size_t> bytes_{0};  // that all parts take
};

}  // namespace penstock::ops
