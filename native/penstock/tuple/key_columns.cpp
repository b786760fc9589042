#include "penstock/tuple/key_columns.hpp"

#include <span>
#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/hash.hpp"
#include "penstock/tuple/key_readers.hpp"

namespace penstock::tuple {

namespace {

using keys::validity;

bool can_be_key(const Field& field) noexcept {
  switch (field.kind) {
    case Kind::kList:
    case Kind::kLargeList:
    case Kind::kFixedList:
    case Kind::kStruct:
    case Kind::kOther:
      return false;
    default:
      if (field.dictionary.empty()) return true;
      return field.dictionary[0].dictionary.empty() && can_be_key(field.dictionary[0]);
  }
}

bool fits_word(const Field& field) noexcept {
  if (!field.dictionary.empty()) return fits_word(field.dictionary[0]);
  switch (field.kind) {
    case Kind::kBool:
    case Kind::kSigned:
    case Kind::kUnsigned:
    case Kind::kFloat:
    case Kind::kNull:
      return true;
    case Kind::kDecimal:
      return field.width <= 8;
    default:
      return false;
  }
}

// Puts a column's hashes down as the first of a key, or behind those that are there.
struct Put {
  std::uint64_t* out;
  bool first;

  template <typename HashAt>
  void all(std::int64_t rows, HashAt hash_at) const {
    if (first) {
      for (std::int64_t row = 0; row < rows; ++row) out[row] = hash_at(row);
    } else {
      for (std::int64_t row = 0; row < rows; ++row)
        out[row] = base::combine(out[row], hash_at(row));
    }
  }
};

template <typename HashAt>
void put_valid(const ColumnSlice& slice, Put put, HashAt hash_at) {
  const std::int64_t first = slice.offset;
  if (const void* valid = validity(*slice.array)) {
    put.all(slice.length, [=](std::int64_t row) {
      return bit_at(valid, first + row) ? hash_at(first + row) : kNullHash;
    });
  } else {
    put.all(slice.length, [=](std::int64_t row) { return hash_at(first + row); });
  }
}

void hash_column(const Field& field, const ColumnSlice& slice, Put put, std::uint64_t* scratch);

// Each entry is hashed once, unless there are more of them than rows: a short tuple may have been
// cut from a batch with a large dictionary.
void hash_dictionary(const Field& field, const ColumnSlice& slice, Put put,
                     std::uint64_t* scratch) {
  const Field& values = field.dictionary[0];
  const ColumnSlice entries{slice.array->dictionary, slice.array->dictionary->offset,
                            slice.array->dictionary->length};
  keys::with_number_reader(field, slice.array->buffers[1], [&](auto index_at) {
    if (entries.length <= slice.length) {
      hash_column(values, entries, {scratch, true}, nullptr);
      put_valid(slice, put, [=](std::int64_t row) { return scratch[index_at(row)]; });
    } else {
      put_valid(slice, put, [&values, entries, index_at](std::int64_t row) {
        const auto entry = entries.offset + static_cast<std::int64_t>(index_at(row));
        std::uint64_t made = 0;
        hash_column(values, {entries.array, entry, 1}, {&made, true}, nullptr);
        return made;
      });
    }
  });
}

void hash_column(const Field& field, const ColumnSlice& slice, Put put, std::uint64_t* scratch) {
  if (slice.length == 0) return;
  if (!field.dictionary.empty()) return hash_dictionary(field, slice, put, scratch);
  if (field.kind == Kind::kNull) {
    return put.all(slice.length, [](std::int64_t) { return kNullHash; });
  }
  keys::with_reader(field, *slice.array, [&](auto value_at) {
    put_valid(slice, put, [=](std::int64_t row) { return keys::hash_of(value_at(row)); });
  });
}

}  // namespace

KeyColumns::KeyColumns(const Schema& schema, std::vector<int> columns) {
  const auto fields = read_fields(schema);
  if (columns.empty()) throw std::invalid_argument("a key needs at least one column, but has none");
  for (const int position : columns) {
    if (position < 0 || position >= std::ssize(fields)) {
      throw std::invalid_argument("column " + std::to_string(position) +
                                  " was chosen as a key, but the rows have " +
                                  std::to_string(fields.size()) + " columns");
    }
    const Field& field = fields[static_cast<std::size_t>(position)];
    if (!can_be_key(field)) {
      throw std::invalid_argument(
          "column " + describe(field) +
          " cannot be a key: keys are numbers, decimals, booleans, strings, binary, dates, times, "
          "timestamps and intervals; choose one of its parts, or make one of these from it");
    }
    columns_.push_back({.position = position, .field = field});
    has_dictionary_ = has_dictionary_ || !field.dictionary.empty();
  }
  word_ = columns_.size() == 1 && fits_word(columns_[0].field);
}

void KeyColumns::hash(const Batch& batch, std::vector<std::uint64_t>& out) const {
  const auto rows = static_cast<std::size_t>(batch.rows());
  // Behind the rows is room for the hashes of dictionary entries, of which no more are kept.
  out.resize(has_dictionary_ ? 2 * rows : rows);
  bool first = true;
  for (const auto& [position, field] : columns_) {
    hash_column(field, batch.column(position), {out.data(), first}, out.data() + rows);
    first = false;
  }
  out.resize(rows);
}

}  // namespace penstock::tuple
