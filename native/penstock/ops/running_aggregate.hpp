#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/ops/keyed_parts.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// Adds columns to every row: what aggregates over all rows of the same key are after that row.
class RunningAggregate final : public graph::DividedOperator, public region::KeyedState {
 public:
  struct Options {
    std::vector<int> keys;  // columns that make up the key
    std::vector<Aggregate> aggregates;
    int parts = 1;
    std::size_t most_bytes = 0;  // of memory for what is known of the keys; 0 for any
    // Counts the memory of several that share the limit; its own if there is none.
    std::shared_ptr<std::atomic<std::size_t>> bytes;
  };

  // Throws std::invalid_argument, naming the column, for what cannot be a key or be aggregated.
  RunningAggregate(const tuple::Schema& input, const Options& options);

  [[nodiscard]] int parts() const noexcept override { return parts_.size(); }
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }
  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, const graph::Division& division,
      std::unique_ptr<graph::Pieces> used) const override;
  void process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) override;
  void join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override;

  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring,
                                                    int self) override {
    return parts_.donate(ring, self);
  }
  void collect(const tuple::Batch& rows) override { parts_.collect(rows); }
  [[nodiscard]] tuple::Batch snapshot() const override { return parts_.snapshot(); }
  [[nodiscard]] tuple::Schema package_schema() const override { return parts_.package_schema(); }
  [[nodiscard]] std::size_t keys() const noexcept override { return parts_.keys(); }
  // Memory for what is known of the keys, with that of all who share the limit.
  [[nodiscard]] std::size_t bytes() const noexcept { return parts_.bytes(); }

 private:
  struct Kept;

  [[nodiscard]] KeyedParts make_parts(const tuple::Schema& input, const Options& options);
  void fetch_values(const tuple::Batch& batch) const;
  void make_columns(const tuple::Batch& batch, Kept& kept) const;
  // What the i-th aggregate is of.
  [[nodiscard]] tuple::ColumnSlice values_of(const tuple::Batch& batch, std::size_t i) const;

  std::vector<Aggregate> aggregates_;
  std::vector<std::int64_t>
      widths_;  // of the values of each aggregate, in bytes; 0 if they have none
  std::vector<tuple::Field> made_;          // what each aggregate makes
  std::vector<Accumulator*> accumulators_;  // of the first part, then of the next; the parts' own
  KeyedParts parts_;
};

}  // namespace penstock::ops
