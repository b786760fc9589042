#include "penstock/ops/window_values.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/made_column.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

namespace {

// A column that is null in every row. Accumulators pass over nulls, so asking one to take these in
// tells what it knows and changes nothing.
class Nulls {
 public:
  Nulls(std::size_t rows, std::int64_t width)
      : zeros_(rows * static_cast<std::size_t>(std::max<std::int64_t>(width, 8)) / 8 + 2),
        buffers_{zeros_.data(), zeros_.data(), zeros_.data()},
        array_{.length = static_cast<std::int64_t>(rows),
               .null_count = static_cast<std::int64_t>(rows),
               .n_buffers = std::ssize(buffers_),
               .buffers = buffers_.data()} {}

  [[nodiscard]] tuple::ColumnSlice slice() const noexcept {
    return {.array = &array_, .offset = 0, .length = array_.length};
  }

 private:
  std::vector<std::uint64_t> zeros_;
  std::array<const void*, 3> buffers_;
  ArrowArray array_;
};

void append_value(const Column& column, std::int64_t width, std::size_t row, std::string& out) {
  if (column.valid[row] == 0) {
    tuple::encode_null(out);
    return;
  }
  if (column.texts != nullptr) {
    tuple::encode_bytes(column.texts[row], out);
    return;
  }
  const auto size = static_cast<std::size_t>(width);
  out.push_back('\1');
  out.append(static_cast<const char*>(column.values) + (row * size), size);
}

// A column of one value, as save() wrote it.
ArrowArray read_value(tuple::ValueReader& from, const tuple::Field& field) {
  MadeColumn made(field, 1);
  const Column column = made.target();
  column.valid[0] = from.has_value() ? 1 : 0;
  if (is_text(field)) {
    if (column.valid[0] != 0) column.texts[0] = from.read_bytes();
  } else {
    auto* const value = static_cast<char*>(column.values);
    std::fill_n(value, field.width, '\0');
    if (column.valid[0] != 0) {
      from.read_bytes().copy(value, static_cast<std::size_t>(field.width));
    }
  }
  return std::move(made).finish();
}

}  // namespace

WindowValues::WindowValues(const std::vector<tuple::Field>& fields,
                           const std::vector<Aggregate>& aggregates) {
  for (const Aggregate& aggregate : aggregates) {
    const bool counts_rows = aggregate.column == Aggregate::kRows;
    each_.push_back({.aggregate = aggregate,
                     .width = width_of(aggregate, fields),
                     .saved = saved_fields(aggregate, fields),
                     .kept = counts_rows ? nullptr : make_accumulator(aggregate, fields)});
  }
}

std::uint32_t WindowValues::open() {
  if (free_.empty()) {
    const auto slot = static_cast<std::uint32_t>(rows_.size());
    for (const Each& each : each_) {
      if (each.kept != nullptr) each.kept->reserve(slot + 1);
    }
    // So that close() cannot fail.
    if (free_.capacity() <= slot) free_.reserve((2 * slot) + 1);
    rows_.push_back(0);
    return slot;
  }
  const auto slot = free_.back();
  free_.pop_back();
  return slot;
}

void WindowValues::close(std::uint32_t slot) noexcept {
  rows_[slot] = 0;
  for (const Each& each : each_) {
    if (each.kept != nullptr) each.kept->forget(std::span(&slot, 1));
  }
  free_.push_back(slot);
}

void WindowValues::note(std::uint32_t slot, std::int32_t row) {
  noted_rows_.push_back(row);
  noted_slots_.push_back(slot);
}

void WindowValues::settle(const tuple::Batch& batch) {
  if (noted_rows_.empty()) return;
  const auto rows = std::exchange(noted_rows_, {});
  const auto slots = std::exchange(noted_slots_, {});
  for (const auto slot : slots) ++rows_[slot];
  graph::FirstFailure failure;
  for (const Each& each : each_) {
    if (each.kept == nullptr) continue;
    try {
      each.kept->update(batch.column(each.aggregate.column), rows, slots,
                        make_room(static_cast<std::size_t>(batch.rows()), each.width));
    } catch (const graph::FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  failure.raise();
}

void WindowValues::read(std::span<const std::uint32_t> slots, std::span<std::string> out) {
  std::vector<std::int32_t> places(slots.size());
  std::iota(places.begin(), places.end(), 0);
  for (const Each& each : each_) {
    if (each.kept == nullptr) {
      for (std::size_t i = 0; i < slots.size(); ++i) tuple::encode_value(rows_[slots[i]], out[i]);
      continue;
    }
    const Nulls nulls(slots.size(), each.width);
    const Column made = make_room(slots.size(), each.width);
    each.kept->update(nulls.slice(), places, slots, made);
    for (std::size_t i = 0; i < slots.size(); ++i) append_value(made, each.width, i, out[i]);
  }
}

void WindowValues::save(std::uint32_t slot, std::string& out) const {
  tuple::encode_value(rows_[slot], out);
  for (const Each& each : each_) {
    if (each.kept == nullptr) continue;
    std::vector<std::string> values;  // also of fixed width, as bytes
    std::vector<std::uint8_t> valid(each.saved.size(), 1);
    std::vector<Column> columns;
    values.reserve(each.saved.size());
    columns.reserve(each.saved.size());
    for (const tuple::Field& field : each.saved) {
      values.emplace_back(static_cast<std::size_t>(field.width), '\0');
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      columns.push_back({.values = values[i].data(), .valid = &valid[i], .texts = &values[i]});
    }
    each.kept->save(std::span(&slot, 1), columns);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      valid[i] != 0 ? tuple::encode_bytes(values[i], out) : tuple::encode_null(out);
    }
  }
}

void WindowValues::restore(std::uint32_t slot, tuple::ValueReader& saved) {
  constexpr std::int32_t kOnlyRow = 0;
  rows_[slot] = saved.has_value() ? saved.read<std::int64_t>() : 0;
  for (const Each& each : each_) {
    if (each.kept == nullptr) continue;
    tuple::OwnArray root(1);
    root.skip_buffer();
    for (const tuple::Field& field : each.saved) root.add_child(read_value(saved, field));
    const tuple::Batch batch = std::move(root).finish_batch();
    std::vector<tuple::ColumnSlice> columns;
    for (int i = 0; std::cmp_less(i, each.saved.size()); ++i) columns.push_back(batch.column(i));
    each.kept->restore(columns, std::span(&kOnlyRow, 1), std::span(&slot, 1));
  }
}

Column WindowValues::make_room(std::size_t rows, std::int64_t width) {
  values_.resize(std::max(values_.size(), (rows * static_cast<std::size_t>(width) / 8) + 1));
  // Accumulators that never make a null do not say so.
  valid_.assign(rows, 1);
  const bool text = width == 0;
  if (text) texts_.resize(std::max(texts_.size(), rows));
  return {
      .values = values_.data(), .valid = valid_.data(), .texts = text ? texts_.data() : nullptr};
}

std::size_t WindowValues::bytes() const noexcept {
  std::size_t taken = rows_.capacity() * sizeof(rows_[0]) + free_.capacity() * sizeof(free_[0]);
  for (const Each& each : each_) taken += each.kept == nullptr ? 0 : each.kept->bytes();
  return taken;
}

}  // namespace penstock::ops
