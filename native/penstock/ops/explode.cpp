#include "penstock/ops/explode.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/borrow_column.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/null_column.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

struct Explode::Exploded {
  static constexpr std::int32_t kItems = 0;
  static constexpr std::int32_t kNull = 1;

  std::vector<std::int32_t> from;
  std::vector<tuple::RowRef> items;  // of the batch of items, or of the one with a null
  std::vector<std::int32_t> positions;
};

namespace {

std::vector<tuple::Field> without(std::vector<tuple::Field> fields, int column) {
  fields.erase(fields.begin() + column);
  return fields;
}

tuple::Field list_field(const tuple::Schema& input, int column) {
  auto field = tuple::read_fields(input).at(static_cast<std::size_t>(column));
  switch (field.kind) {
    case tuple::Kind::kList:
    case tuple::Kind::kLargeList:
    case tuple::Kind::kFixedList:
      return field;
    default:
      throw std::invalid_argument("column " + describe(field) + " is no list");
  }
}

tuple::Batch one_column(ArrowArray column) {
  tuple::OwnArray root(column.length);
  root.skip_buffer();
  root.add_child(column);
  return std::move(root).finish_batch();
}

// Where the items of a list are, from its first to the one behind its last.
std::pair<std::int64_t, std::int64_t> range_of(const tuple::Field& list,
                                               const tuple::ColumnSlice& lists, std::int64_t row) {
  const std::int64_t at = lists.offset + row;
  const auto between = [at](const auto* offsets) {
    return std::pair<std::int64_t, std::int64_t>(offsets[at], offsets[at + 1]);
  };
  switch (list.kind) {
    case tuple::Kind::kList:
      return between(static_cast<const std::int32_t*>(lists.array->buffers[1]));
    case tuple::Kind::kLargeList:
      return between(static_cast<const std::int64_t*>(lists.array->buffers[1]));
    default:
      return {at * list.width, (at + 1) * list.width};
  }
}

ArrowArray position_column(const std::vector<std::int32_t>& positions) {
  const auto rows = std::ssize(positions);
  tuple::OwnArray array(rows);
  auto* const bitmap = array.add_buffer<std::uint8_t>((rows + 7) / 8);
  const auto valid = tuple::write_bits(bitmap, rows, [&](std::int64_t row) {
    return positions[static_cast<std::size_t>(row)] >= 0;
  });
  std::ranges::copy(positions, array.add_buffer<std::int32_t>(rows));
  return std::move(array).finish(rows - valid);
}

}  // namespace

Explode::Explode(const tuple::Schema& input, Options options)
    : options_(options),
      list_(list_field(input, options.column)),
      other_rows_(without(tuple::read_fields(input), options.column)),
      item_rows_(list_.children),
      null_item_(one_column(tuple::null_column(list_.children[0], 1))) {
  const auto columns = static_cast<int>(tuple::read_fields(input).size());
  for (int column = 0; column < columns; ++column) {
    if (column != options.column) others_.push_back(column);
  }
}

void Explode::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const tuple::Batch& batch = tuple.batch;
  Exploded made;
  list_items(batch.column(options_.column), made);
  if (made.from.empty()) return;
  tuple::OwnArray root(std::ssize(made.from));
  root.skip_buffer();
  const tuple::Batch others = other_rows_.take(batch.select(others_), made.from);
  for (int column = 0; column <= std::ssize(others_); ++column) {
    if (column == options_.column) {
      root.add_child(items(batch, made));
    } else {
      root.add_child(tuple::borrow_column(others, column < options_.column ? column : column - 1));
    }
  }
  if (options_.position) root.add_child(position_column(made.positions));
  output.emit_rows(std::move(root).finish_batch(), made.from, 0);
}

void Explode::list_items(const tuple::ColumnSlice& lists, Exploded& made) const {
  for (std::int32_t row = 0; row < lists.length; ++row) {
    const bool known = !tuple::is_null(list_, lists, row);
    const auto [first, end] =
        known ? range_of(list_, lists, row) : std::pair<std::int64_t, std::int64_t>(0, 0);
    if (first == end && options_.outer) {
      made.from.push_back(row);
      made.items.push_back({.batch = Exploded::kNull, .row = 0});
      made.positions.push_back(-1);
    }
    if (end > std::numeric_limits<std::int32_t>::max()) {
      throw std::length_error("column " + describe(list_) + " has " + std::to_string(end) +
                              " items in one batch; make batches smaller");
    }
    for (std::int64_t item = first; item < end; ++item) {
      made.from.push_back(row);
      made.items.push_back({.batch = Exploded::kItems, .row = static_cast<std::int32_t>(item)});
      made.positions.push_back(static_cast<std::int32_t>(item - first));
    }
  }
}

ArrowArray Explode::items(const tuple::Batch& batch, const Exploded& made) const {
  const ArrowArray& child = *batch.column(options_.column).array->children[0];
  const std::vector<tuple::Batch> sources{one_column(tuple::OwnArray::borrow(child, batch)),
                                          null_item_};
  return tuple::borrow_column(item_rows_.gather(sources, made.items), 0);
}

}  // namespace penstock::ops
