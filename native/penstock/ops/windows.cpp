#include "penstock/ops/windows.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/own_schema.hpp"

namespace penstock::ops {

namespace {

tuple::Schema schema_of(const std::vector<tuple::Field>& fields, const std::vector<int>& columns) {
  std::vector<tuple::Field> selected;
  selected.reserve(columns.size());
  for (const int column : columns) selected.push_back(fields.at(static_cast<std::size_t>(column)));
  return tuple::make_schema(selected);
}

double double_at(const tuple::Field& field, const tuple::ColumnSlice& column, std::int64_t row) {
  const char* const value = tuple::value_at(field, column, row);
  if (field.width == sizeof(float)) {
    float read = 0;
    std::memcpy(&read, value, sizeof read);
    return read;
  }
  double read = 0;
  std::memcpy(&read, value, sizeof read);
  return read;
}

// Nothing for null and NaN: such a row is nowhere.
std::optional<std::int64_t> place_of(const tuple::Field& field, const tuple::ColumnSlice& column,
                                     std::int64_t row) {
  if (tuple::is_null(field, column, row)) return std::nullopt;
  if (field.kind != tuple::Kind::kFloat) return tuple::whole_at(field, column, row);
  const double value = double_at(field, column, row);
  if (std::isnan(value)) return std::nullopt;
  return std::bit_cast<std::int64_t>(value);
}

[[noreturn]] void fail(std::int32_t row, const std::string& reason) {
  throw graph::FailedAtRow(row, std::make_exception_ptr(std::range_error(reason)));
}

}  // namespace

Windows::Windows(const tuple::Schema& input, const tuple::Schema& output,
                 const WindowOptions& options, WindowValues values)
    : KeyedRows(input, output, options.keyed),
      options_(options),
      values_(std::move(values)),
      bound_(tuple::read_fields(output).at(options.shown.size())),
      key_codec_(schema_of(tuple::read_fields(input), options.shown)) {
  if (options.on != WindowOptions::kNoColumn) {
    on_ = tuple::read_fields(input).at(static_cast<std::size_t>(options.on));
  }
}

void Windows::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  batch_ = batch;
  graph::FirstFailure failure;
  const auto attempt = [&failure](auto&& step) {
    try {
      step();
    } catch (const graph::FailedAtRow& failed) {
      failure.add(failed);
    }
  };
  attempt([&] { take_all(ids); });
  attempt([&] { values_.settle(batch); });
  give_out(failure.rows_before(batch.rows()), made);
  batch_ = {};
  failure.raise();
}

void Windows::take_all(std::span<const std::uint32_t> ids) {
  begin();
  const tuple::RowEncoder keys(key_codec_, batch_.select(options_.shown));
  const bool has_keys = !options_.shown.empty();
  const bool has_place = options_.on != WindowOptions::kNoColumn;
  const auto column = has_place ? batch_.column(options_.on) : tuple::ColumnSlice{};
  for (std::size_t at = 0; at < ids.size(); ++at) {
    const auto row = static_cast<std::int32_t>(at);
    std::string& key = keys_[ids[at]];
    if (has_keys && key.empty()) {
      keys.encode(row, key);
      key_bytes_ += key.size();
    }
    const auto place = has_place ? place_of(on_, column, row) : 0;
    if (place) take(row, ids[at], *place);
  }
}

void Windows::flush(std::uint32_t id, Made& made) {
  if (!options_.flush) return;
  try {
    close_all(id);
  } catch (const graph::FailedAtRow& failed) {
    std::rethrow_exception(failed.cause());  // no row is to blame at the end
  }
  give_out(std::numeric_limits<std::int64_t>::max(), made);
}

void Windows::close(std::uint32_t slot, Bounds bounds, std::uint32_t id, std::int32_t row) {
  closed_.push_back({.slot = slot, .id = id, .row = row, .bounds = bounds});
}

void Windows::give_out(std::int64_t before, Made& made) {
  const auto closed = std::exchange(closed_, {});
  std::vector<std::uint32_t> slots;
  std::vector<std::string> rows;
  for (const Closed& each : closed) {
    slots.push_back(each.slot);
    std::string& row = rows.emplace_back(keys_[each.id]);
    append_bound(each.bounds.start, row);
    append_bound(each.bounds.end, row);
  }
  values_.read(slots, rows);
  for (std::size_t i = 0; i < closed.size(); ++i) {
    if (closed[i].row < before) made.add(rows[i], closed[i].row);
    values_.close(slots[i]);
  }
}

void Windows::append_bound(std::int64_t bound, std::string& out) const {
  if (bound_.kind == tuple::Kind::kFloat) {
    const auto value = std::bit_cast<double>(bound);
    bound_.width == sizeof(float) ? tuple::encode_value(static_cast<float>(value), out)
                                  : tuple::encode_value(value, out);
    return;
  }
  switch (bound_.width) {
    case 1:
      tuple::encode_value(static_cast<std::int8_t>(bound), out);
      break;
    case 2:
      tuple::encode_value(static_cast<std::int16_t>(bound), out);
      break;
    case 4:
      tuple::encode_value(static_cast<std::int32_t>(bound), out);
      break;
    default:
      tuple::encode_value(bound, out);
      break;
  }
}

void Windows::leave_out_late(std::int32_t row, std::int64_t place) {
  if (!options_.late_fails) {
    late_.add(1);
    return;
  }
  fail(row, "the row is late: column " + describe(on_) + " has " + std::to_string(place) +
                ", and every window of that time has closed; raise watermark=, which is " +
                std::to_string(options_.watermark.value_or(0)) +
                " in the units of the column, or leave such rows out with late=\"drop\"");
}

void Windows::check_distance(std::int32_t row, std::int64_t place) const {
  // The bounds must fit into the column's type, and so must what is on the way to them. Lengths
  // are at most an eighth of all there is.
  const std::int64_t most =
      (on_.width == sizeof(std::int32_t) ? std::int64_t{std::numeric_limits<std::int32_t>::max()}
                                         : std::numeric_limits<std::int64_t>::max()) /
      2;
  if (place > -most && place < most) return;
  fail(row, "column " + describe(on_) + " has " + std::to_string(place) +
                ", which is too far from 1970 for a window around it");
}

void Windows::reserve(std::uint32_t limit) {
  reserve_open(limit);
  if (keys_.size() < limit) keys_.resize(limit);
}

void Windows::save(std::uint32_t id, std::string& out) const {
  if (id >= keys_.size()) return;  // memory ran out when the key was new
  tuple::encode_bytes(keys_[id], out);
  save_open(id, out);
}

void Windows::restore(std::uint32_t id, std::string_view saved) {
  tuple::ValueReader reader(saved);
  if (reader.ended()) return;
  if (reader.has_value()) keys_[id] = reader.read_bytes();
  key_bytes_ += keys_[id].size();
  restore_open(id, reader);
}

void Windows::forget(std::uint32_t id) noexcept {
  key_bytes_ -= keys_[id].size();
  keys_[id] = {};
  forget_open(id);
}

std::size_t Windows::state_bytes() const noexcept {
  return values_.bytes() + key_bytes_ + (keys_.capacity() * sizeof(std::string)) + open_bytes();
}

std::size_t Windows::bytes_of(std::uint32_t id) const noexcept {
  const Held held = held_by(id);
  return keys_[id].size() + held.bytes + (held.slots * values_.mean_bytes());
}

}  // namespace penstock::ops
