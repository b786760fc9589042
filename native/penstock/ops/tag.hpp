#pragma once

#include <cstdint>
#include <vector>

#include "penstock/graph/operator.hpp"
#include "penstock/tuple/row_codec.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// Makes the rows of one branch fit into a stream of several: the number of the branch first, then
// its columns at the places that are theirs, and null at the others'.
class Tag final : public graph::Operator {
 public:
  static constexpr int kNothing = -1;

  // `columns` says for every column of `output` behind the first which one given it is, or
  // kNothing. Throws std::invalid_argument, naming the column, for one that cannot be kept between
  // rows.
  Tag(const tuple::Schema& output, std::int8_t branch, std::vector<int> columns);

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override;
  [[nodiscard]] bool row_by_row() const noexcept override { return true; }
  [[nodiscard]] tuple::Batch tagged(const tuple::Batch& batch) const;

 private:
  tuple::RowCodec made_;
  std::int8_t branch_;
  std::vector<int> columns_;
};

}  // namespace penstock::ops
