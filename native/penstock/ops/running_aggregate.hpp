#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

struct AggregatePart;
struct PackageLayout;

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

  // A key belongs where the ring has the hash of its columns in the order of Options::keys: it is
  // for a region by the same columns. Moving state is not refused for want of memory; the next row
  // is.
  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring,
                                                    int self) override;
  void collect(const tuple::Batch& rows) override;
  [[nodiscard]] tuple::Batch snapshot() const override;
  [[nodiscard]] tuple::Schema package_schema() const override;
  [[nodiscard]] std::size_t keys() const noexcept override;
  // Memory for what is known of the keys, as counted against Options::most_bytes, with that of all
  // who share it.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_->load(std::memory_order_relaxed);
  }

 private:
  struct Kept;

  void cut_by_key(const tuple::KeyColumns& keys, const tuple::Batch& batch, Kept& kept) const;
  void make_columns(std::int64_t rows, Kept& kept) const;
  // The numbers of the keys of these rows go to kept.ids.
  void number_keys(AggregatePart& part, std::span<const std::int32_t> rows, Kept& kept) const;
  [[nodiscard]] tuple::Batch joined(std::vector<tuple::Batch> packages) const;
  // What all parts take.
  std::size_t count_memory(AggregatePart& part) noexcept;
  // Throws std::length_error.
  void check_memory(AggregatePart& part);

  tuple::KeyColumns keys_;
  std::vector<Aggregate> aggregates_;
  std::vector<std::int64_t> widths_;  // by aggregate
  std::unique_ptr<const PackageLayout> layout_;
  std::vector<std::unique_ptr<AggregatePart>> parts_;
  std::size_t most_bytes_;
  std::shared_ptr<std::atomic<std::size_t>> bytes_;  // that all parts take
};

}  // namespace penstock::ops
