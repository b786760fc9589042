#include "penstock/ops/compiled/frame_columns.hpp"

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::ops {

namespace {

bool fits_frame(const tuple::Field& field) {
  if (!field.dictionary.empty()) return false;
  switch (field.kind) {
    case tuple::Kind::kBool:
    case tuple::Kind::kSigned:
    case tuple::Kind::kUnsigned:
    case tuple::Kind::kBytes:
      return true;
    case tuple::Kind::kFloat:
      return field.width != 2;
    case tuple::Kind::kDecimal:
      return field.width == 16;
    default:
      return false;
  }
}

}  // namespace

std::vector<tuple::Field> frame_fields(const tuple::Schema& schema,
                                       const std::vector<int>& positions) {
  const auto all = tuple::read_fields(schema);
  std::vector<tuple::Field> fields;
  fields.reserve(positions.size());
  for (const int position : positions) {
    PENSTOCK_CHECK(position >= 0 && std::cmp_less(position, all.size()),
                   "a column that a compiled function reads must exist");
    const tuple::Field& field = all[static_cast<std::size_t>(position)];
    if (!fits_frame(field)) {
      throw std::invalid_argument(
          "a compiled function cannot use column " + tuple::describe(field) +
          ": it takes booleans, numbers, dates, times, timestamps, decimals of 128 bits, strings "
          "and binary; leave the column out before, or use a batch function");
    }
    fields.push_back(field);
  }
  return fields;
}

std::vector<int> all_columns(const tuple::Schema& schema) {
  std::vector<int> all(static_cast<std::size_t>(schema.arrow().n_children));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

FrameColumns::FrameColumns(const tuple::Schema& schema, std::vector<int> positions)
    : positions_(std::move(positions)), fields_(frame_fields(schema, positions_)) {}

std::vector<penstock_column> FrameColumns::of(const tuple::Batch& batch) const {
  std::vector<penstock_column> columns(positions_.size());
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    const auto [array, offset, length] = batch.column(positions_[i]);
    penstock_column& column = columns[i];
    column.bit = offset;
    if (array->null_count != 0)
      column.validity = static_cast<const std::uint8_t*>(array->buffers[0]);
    if (fields_[i].kind == tuple::Kind::kBytes) {
      column.offsets = static_cast<const std::int32_t*>(array->buffers[1]) + offset;
      column.values = array->buffers[2];
    } else {
      // The bits of booleans are counted from the beginning, and they are zero bytes wide.
      const auto* const bytes = static_cast<const std::uint8_t*>(array->buffers[1]);
      column.values = bytes + offset * fields_[i].width;
    }
  }
  return columns;
}

}  // namespace penstock::ops
