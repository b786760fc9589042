#include "penstock/ops/tag.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

namespace {

ArrowArray repeated(std::int8_t value, std::int64_t rows) {
  tuple::OwnArray array(rows);
  array.skip_buffer();
  std::fill_n(array.add_buffer<std::int8_t>(rows), rows, value);
  return std::move(array).finish(0);
}

void add_zeros(tuple::OwnArray& array, std::int64_t bytes) {
  std::fill_n(array.add_buffer<char>(bytes), bytes, '\0');
}

ArrowArray nulls(const tuple::Field& field, std::int64_t rows) {
  tuple::OwnArray array(rows);
  if (field.kind == tuple::Kind::kNull) return std::move(array).finish(rows);
  const std::int64_t bits = (rows + 7) / 8;
  add_zeros(array, bits);
  if (field.kind == tuple::Kind::kBool) {
    add_zeros(array, bits);
  } else if (field.kind == tuple::Kind::kBytes || field.kind == tuple::Kind::kLargeBytes) {
    const bool large = field.kind == tuple::Kind::kLargeBytes;
    add_zeros(array, (rows + 1) * std::int64_t{large ? 8 : 4});
    add_zeros(array, 0);
  } else {
    add_zeros(array, rows * field.width);
  }
  return std::move(array).finish(rows);
}

}  // namespace

Tag::Tag(const tuple::Schema& output, std::int8_t branch, std::vector<int> columns)
    : made_(output), branch_(branch), columns_(std::move(columns)) {
  if (made_.fields().size() != columns_.size() + 1) {
    throw std::invalid_argument("a tagged row has " + std::to_string(made_.fields().size()) +
                                " columns, but " + std::to_string(columns_.size()) +
                                " and the tag are given");
  }
}

void Tag::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  output.emit(tagged(tuple.batch), 0);
}

tuple::Batch Tag::tagged(const tuple::Batch& batch) const {
  const std::int64_t rows = batch.rows();
  tuple::Composer whole(batch, columns_.size() + 1);
  whole.add(repeated(branch_, rows));
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    if (columns_[at] == kNothing) {
      whole.add(nulls(made_.fields()[at + 1], rows));
    } else {
      whole.pass(columns_[at]);
    }
  }
  return std::move(whole).finish();
}

}  // namespace penstock::ops
