#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/graph/divided_operator.hpp"
#include "penstock/ops/compiled/compiled_function.hpp"
#include "penstock/ops/compiled/state_records.hpp"
#include "penstock/ops/keyed_parts.hpp"
#include "penstock/region/keyed_state.hpp"

namespace penstock::ops {

// Gives rows to a compiled function that remembers a record of bytes for each key.
class CompiledKeyed final : public graph::DividedOperator, public region::KeyedState {
 public:
  // Throws std::invalid_argument, naming the column, for what cannot be a key.
  CompiledKeyed(const tuple::Schema& input, CompiledFunction function, std::int64_t record_bytes,
                const KeyedParts::Options& options);

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

 private:
  struct Kept;

  [[nodiscard]] KeyedParts make_parts(const tuple::Schema& input,
                                      const KeyedParts::Options& options);

  CompiledFunction function_;
  std::int64_t record_bytes_;
  std::vector<StateRecords*> records_;  // by part; the parts' own
  KeyedParts parts_;
};

}  // namespace penstock::ops
