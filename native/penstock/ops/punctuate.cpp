#include "penstock/ops/punctuate.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/tuple/bits.hpp"

namespace penstock::ops {

Punctuate::Punctuate(Where where) : where_(where) {
  if ((where_.every > 0) == where_.column.has_value()) {
    throw std::invalid_argument("marks come every so many rows, or by a column, and not by both");
  }
}

void Punctuate::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const tuple::Batch& batch = tuple.batch;
  for (std::int64_t first = 0; first < batch.rows();) {
    bool mark = false;
    const std::int64_t rows = rows_up_to_mark(batch, first, mark);
    output.emit(batch.slice(first, rows), 0);
    since_mark_ += rows;
    first += rows;
    if (!mark) continue;
    output.punctuate(0);
    since_mark_ = 0;
  }
}

std::int64_t Punctuate::rows_up_to_mark(const tuple::Batch& batch, std::int64_t first,
                                        bool& mark) const {
  const std::int64_t left = batch.rows() - first;
  if (!where_.column) {
    const std::int64_t wanted = where_.every - since_mark_;
    mark = wanted <= left;
    return std::min(wanted, left);
  }
  const tuple::ColumnSlice column = batch.column(*where_.column);
  const void* const valid = column.array->null_count == 0 ? nullptr : column.array->buffers[0];
  for (std::int64_t row = first; row < batch.rows(); ++row) {
    const std::int64_t at = column.offset + row;
    if (valid != nullptr && !tuple::bit_at(valid, at)) continue;
    if (!tuple::bit_at(column.array->buffers[1], at)) continue;
    mark = true;
    return row + 1 - first;
  }
  return left;
}

}  // namespace penstock::ops
