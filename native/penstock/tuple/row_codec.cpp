#include "penstock/tuple/row_codec.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

namespace {

bool can_be_kept(const Field& field) {
  if (!field.dictionary.empty()) return false;
  switch (field.kind) {
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kSigned:
    case Kind::kUnsigned:
    case Kind::kFloat:
    case Kind::kDecimal:
    case Kind::kFixedBytes:
    case Kind::kBytes:
    case Kind::kLargeBytes:
      return true;
    default:
      return false;
  }
}

bool is_bytes(const Field& field) {
  return field.kind == Kind::kBytes || field.kind == Kind::kLargeBytes;
}

void encode_field(const Field& field, const ColumnSlice& column, std::int64_t row,
                  std::string& out) {
  if (is_null(field, column, row)) {
    encode_null(out);
  } else if (field.kind == Kind::kBool) {
    encode_value(bit_at(column.array->buffers[1], column.offset + row), out);
  } else if (is_bytes(field)) {
    encode_bytes(bytes_at(field, column, row), out);
  } else {
    out.push_back('\1');
    out.append(value_at(field, column, row), static_cast<std::size_t>(field.width));
  }
}

// The next value of every row: the cursors go on behind it.
using Cursors = std::span<std::string_view>;

std::string_view take(std::string_view& cursor, std::size_t count) {
  const auto taken = cursor.substr(0, count);
  cursor.remove_prefix(count);
  return taken;
}

// Takes the flags off, and writes them as a bitmap. Returns the number of nulls.
std::int64_t decode_validity(Cursors rows, OwnArray& array) {
  auto* const bitmap = array.add_buffer<std::uint8_t>((std::ssize(rows) + 7) / 8);
  return std::ssize(rows) - write_bits(bitmap, std::ssize(rows), [&](std::int64_t row) {
           return rows[static_cast<std::size_t>(row)].front() != '\0';
         });
}

void decode_fixed(const Field& field, Cursors rows, OwnArray& array) {
  const auto width = static_cast<std::size_t>(field.width);
  auto* out = array.add_buffer<char>(std::ssize(rows) * field.width);
  for (auto& row : rows) {
    if (take(row, 1)[0] == '\0') {
      std::memset(out, 0, width);
    } else {
      std::memcpy(out, take(row, width).data(), width);
    }
    out += width;
  }
}

void decode_bool(Cursors rows, OwnArray& array) {
  auto* const bits = array.add_buffer<std::uint8_t>((std::ssize(rows) + 7) / 8);
  write_bits(bits, std::ssize(rows), [&](std::int64_t at) {
    auto& row = rows[static_cast<std::size_t>(at)];
    return take(row, 1)[0] != '\0' && take(row, 1)[0] != '\0';
  });
}

template <typename Offset>
void decode_bytes(const Field& field, Cursors rows, OwnArray& array) {
  auto* const offsets = array.add_buffer<Offset>(std::ssize(rows) + 1);
  std::vector<std::string_view> values;
  values.reserve(rows.size());
  std::uint64_t total = 0;
  for (auto& row : rows) {
    std::string_view value;
    if (take(row, 1)[0] != '\0') {
      ValueReader reader(row);
      value = reader.read_bytes();
      row = reader.rest();
    }
    values.push_back(value);
    total += value.size();
  }
  if (std::cmp_greater(total, std::numeric_limits<Offset>::max())) {
    throw std::length_error("column " + describe(field) + " cannot hold the " +
                            std::to_string(total) + " bytes of these rows; make tuples shorter");
  }
  auto* data = array.add_buffer<char>(static_cast<std::int64_t>(total));
  Offset end = 0;
  offsets[0] = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    data = std::ranges::copy(values[row], data).out;
    end = static_cast<Offset>(end + static_cast<Offset>(values[row].size()));
    offsets[row + 1] = end;
  }
}

ArrowArray decode_column(const Field& field, Cursors rows) {
  OwnArray array(std::ssize(rows));
  if (field.kind == Kind::kNull) {
    for (auto& row : rows) take(row, 1);
    return std::move(array).finish(std::ssize(rows));
  }
  const auto nulls = decode_validity(rows, array);
  if (field.kind == Kind::kBool) {
    decode_bool(rows, array);
  } else if (field.kind == Kind::kBytes) {
    decode_bytes<std::int32_t>(field, rows, array);
  } else if (is_bytes(field)) {
    decode_bytes<std::int64_t>(field, rows, array);
  } else {
    decode_fixed(field, rows, array);
  }
  return std::move(array).finish(nulls);
}

}  // namespace

RowCodec::RowCodec(const Schema& schema) : fields_(read_fields(schema)) {
  for (const Field& field : fields_) {
    if (can_be_kept(field)) continue;
    throw std::invalid_argument("column " + describe(field) +
                                " cannot be kept between rows; select the columns that are needed, "
                                "or take plain values out of it first");
  }
}

Batch RowCodec::decode(std::span<const std::string_view> rows) const {
  std::vector<std::string_view> cursors(rows.begin(), rows.end());
  OwnArray root(std::ssize(rows));
  root.skip_buffer();
  for (const Field& field : fields_) root.add_child(decode_column(field, cursors));
  return std::move(root).finish_batch();
}

RowEncoder::RowEncoder(const RowCodec& codec, const Batch& batch) : fields_(&codec.fields()) {
  columns_.reserve(fields_->size());
  for (int column = 0; std::cmp_less(column, fields_->size()); ++column) {
    columns_.push_back(batch.column(column));
  }
}

void RowEncoder::encode(std::int64_t row, std::string& out) const {
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    encode_field((*fields_)[column], columns_[column], row, out);
  }
}

void RowEncoder::encode(std::int64_t row, int column, std::string& out) const {
  const auto at = static_cast<std::size_t>(column);
  encode_field((*fields_)[at], columns_[at], row, out);
}

bool RowEncoder::is_null(std::int64_t row, int column) const {
  const auto at = static_cast<std::size_t>(column);
  return tuple::is_null((*fields_)[at], columns_[at], row);
}

void encode_bytes(std::string_view value, std::string& out) {
  if (value.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a value of " + std::to_string(value.size()) +
                            " bytes cannot be kept; 4294967295 are allowed");
  }
  encode_value(static_cast<std::uint32_t>(value.size()), out);
  out.append(value);
}

}  // namespace penstock::tuple
