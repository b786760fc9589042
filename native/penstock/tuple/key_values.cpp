#include <span>
#include <type_traits>

#include "penstock/base/check.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/key_readers.hpp"

namespace penstock::tuple {

namespace {

using keys::validity;

bool is_valid(const void* bits, std::int64_t row) noexcept {
  return bits == nullptr || bit_at(bits, row);
}

template <typename Null>
void all_null(std::int64_t rows, Null null) {
  for (std::int64_t row = 0; row < rows; ++row) null(row);
}

template <typename Use, typename Null>
void each_entry(const Field& field, const ColumnSlice& slice, Use use, Null null) {
  const ArrowArray& entries = *slice.array->dictionary;
  if (field.dictionary[0].kind == Kind::kNull || entries.length == 0) {
    return all_null(slice.length, null);
  }
  const void* valid = validity(*slice.array);
  const void* valid_entry = validity(entries);
  keys::with_number_reader(field, slice.array->buffers[1], [&](auto index_at) {
    keys::with_reader(field.dictionary[0], entries, [&](auto value_at) {
      for (std::int64_t row = 0; row < slice.length; ++row) {
        if (!is_valid(valid, slice.offset + row)) {
          null(row);
          continue;
        }
        const auto index = static_cast<std::int64_t>(index_at(slice.offset + row));
        if (is_valid(valid_entry, entries.offset + index)) {
          use(row, value_at(entries.offset + index));
        } else {
          null(row);
        }
      }
    });
  });
}

// Calls `use(row, value)` or `null(row)` for each row, in order.
template <typename Use, typename Null>
void each_value(const Field& field, const ColumnSlice& slice, Use use, Null null) {
  if (slice.length == 0) return;
  if (!field.dictionary.empty()) return each_entry(field, slice, use, null);
  if (field.kind == Kind::kNull) return all_null(slice.length, null);
  const void* valid = validity(*slice.array);
  keys::with_reader(field, *slice.array, [&](auto value_at) {
    for (std::int64_t row = 0; row < slice.length; ++row) {
      if (is_valid(valid, slice.offset + row)) {
        use(row, value_at(slice.offset + row));
      } else {
        null(row);
      }
    }
  });
}

// A part of a composite key begins with 0 for null, 1 for a word, or the length of its bytes
// plus 1; what is too long for one byte has 255 and eight bytes of length. So no part can be
// taken for a part of another length, and no key for another one.
void append(std::string& key, std::uint64_t word) {
  key.push_back('\1');
  key.append(reinterpret_cast<const char*>(&word), sizeof(word));  // NOLINT: its bytes
}

void append(std::string& key, std::string_view bytes) {
  if (bytes.size() < 254) {
    key.push_back(static_cast<char>(bytes.size() + 1));
  } else {
    const std::uint64_t size = bytes.size();
    key.push_back('\xFF');
    key.append(reinterpret_cast<const char*>(&size), sizeof(size));  // NOLINT: its bytes
  }
  key.append(bytes);
}

void append(std::string& key, keys::Decimal decimal) { append(key, decimal.bytes); }

std::string_view view_of(std::string_view bytes) noexcept { return bytes; }
std::string_view view_of(keys::Decimal decimal) noexcept { return decimal.bytes; }
std::string_view view_of(std::uint64_t /*word*/) {
  PENSTOCK_CHECK(false, "a key of one word is asked for by words()");
  return {};
}

std::uint64_t as_word(std::uint64_t word) noexcept { return word; }
template <typename Bytes>
std::uint64_t as_word(Bytes /*bytes*/) {
  PENSTOCK_CHECK(false, "a key of bytes is asked for by bytes()");
  return 0;
}

}  // namespace

std::span<const std::uint64_t> KeyColumns::words(const Batch& batch,
                                                 std::vector<std::uint64_t>& read,
                                                 std::vector<std::uint8_t>& nulls) const {
  PENSTOCK_CHECK(word_, "only a key of one word has words");
  const auto rows = static_cast<std::size_t>(batch.rows());
  nulls.clear();
  if (rows == 0) return {};
  const auto& [position, field] = columns_[0];
  const ColumnSlice slice = batch.column(position);
  if (keys::lie_as_words(field, slice)) {
    return keys::lying_words(slice);
  }
  read.resize(rows);
  each_value(
      field, slice,
      [out = read.data()](std::int64_t row, auto value) { out[row] = as_word(value); },
      [&](std::int64_t row) {
        if (nulls.empty()) nulls.assign(rows, 0);
        nulls[static_cast<std::size_t>(row)] = 1;
        read[static_cast<std::size_t>(row)] = 0;
      });
  return read;
}

void KeyColumns::bytes(const Batch& batch, std::vector<std::string_view>& keys,
                       KeyArena& arena) const {
  PENSTOCK_CHECK(!word_, "a key of one word has no bytes");
  keys.resize(static_cast<std::size_t>(batch.rows()));
  arena.bytes.clear();
  arena.ends.clear();
  if (columns_.size() == 1) {
    const auto& [position, field] = columns_[0];
    each_value(
        field, batch.column(position),
        [out = keys.data()](std::int64_t row, auto value) { out[row] = view_of(value); },
        [out = keys.data()](std::int64_t row) { out[row] = {}; });
    return;
  }
  // The arena moves while it grows, so the views are made when it is complete.
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    for (const auto& [position, field] : columns_) {
      ColumnSlice cell = batch.column(position);
      cell.offset += row;
      cell.length = 1;
      each_value(
          field, cell, [&](std::int64_t, auto value) { append(arena.bytes, value); },
          [&](std::int64_t) { arena.bytes.push_back('\0'); });
    }
    arena.ends.push_back(arena.bytes.size());
  }
  std::size_t begin = 0;
  for (std::size_t row = 0; row < keys.size(); begin = arena.ends[row++]) {
    keys[row] = {arena.bytes.data() + begin, arena.ends[row] - begin};
  }
}

}  // namespace penstock::tuple
