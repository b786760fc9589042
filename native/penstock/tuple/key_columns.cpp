#include "penstock/tuple/key_columns.hpp"

#include <span>
#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/hash.hpp"
#include "penstock/tuple/key_readers.hpp"

// Several words at a time where the processor multiplies them so. What chooses between the two runs
// before a sanitizer is ready.
#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define PENSTOCK_WIDE __attribute__((target_clones("arch=x86-64-v4", "default")))
#else
#define PENSTOCK_WIDE
#endif

namespace penstock::tuple {

namespace {

PENSTOCK_WIDE void hash_words(const std::uint64_t* words, std::size_t count, std::uint64_t* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = base::hash64(words[i]);
}

using keys::fits_word;
using keys::validity;
using keys::values_of;

bool has_flat_values(const Field& field) noexcept {
  switch (field.kind) {
    case Kind::kList:
    case Kind::kLargeList:
    case Kind::kFixedList:
    case Kind::kStruct:
    case Kind::kOther:
      return false;
    default:
      return true;
  }
}

bool can_be_key(const Field& field) noexcept {
  const Field& values = values_of(field);
  return has_flat_values(values) && (&values == &field || values.dictionary.empty());
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

void hash_values(const Field& field, const ColumnSlice& slice, Put put) {
  if (slice.length == 0) return;
  if (field.kind == Kind::kNull) {
    put.all(slice.length, [](std::int64_t) { return kNullHash; });
    return;
  }
  if (put.first && keys::lie_as_words(field, slice)) {
    const auto words = keys::lying_words(slice);
    hash_words(words.data(), words.size(), put.out);
    return;
  }
  keys::with_reader(field, *slice.array, [&](auto value_at) {
    put_valid(slice, put, [=](std::int64_t row) { return keys::hash_of(value_at(row)); });
  });
}

// Each entry is hashed once, unless there are more of them than rows: a short tuple may have been
// cut from a batch with a large dictionary.
void hash_dictionary(const Field& field, const ColumnSlice& slice, Put put,
                     std::span<std::uint64_t> scratch) {
  if (slice.length == 0) return;
  const Field& values = field.dictionary[0];
  const ArrowArray& entries = *slice.array->dictionary;
  const auto entry_hashes = [&](std::int64_t first, std::int64_t count, std::uint64_t* out) {
    hash_values(values, {.array = &entries, .offset = entries.offset + first, .length = count},
                {.out = out, .first = true});
  };
  keys::with_number_reader(field, slice.array->buffers[1], [&](auto index_at) {
    if (std::cmp_less_equal(entries.length, scratch.size())) {
      entry_hashes(0, entries.length, scratch.data());
      put_valid(slice, put, [=](std::int64_t row) { return scratch[index_at(row)]; });
    } else {
      put_valid(slice, put, [=](std::int64_t row) {
        std::uint64_t made = 0;
        entry_hashes(static_cast<std::int64_t>(index_at(row)), 1, &made);
        return made;
      });
    }
  });
}

}  // namespace

KeyColumns::KeyColumns(const Schema& schema, const std::vector<int>& columns) {
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
  word_ = columns_.size() == 1 && fits_word(values_of(columns_[0].field));
}

void KeyColumns::hash(const Batch& batch, std::vector<std::uint64_t>& out) const {
  const auto rows = static_cast<std::size_t>(batch.rows());
  // Behind the rows is room for the hashes of dictionary entries, of which no more are kept.
  out.resize(has_dictionary_ ? 2 * rows : rows);
  bool first = true;
  for (const auto& [position, field] : columns_) {
    const Put put{.out = out.data(), .first = std::exchange(first, false)};
    if (field.dictionary.empty()) {
      hash_values(field, batch.column(position), put);
    } else {
      hash_dictionary(field, batch.column(position), put, std::span(out).subspan(rows));
    }
  }
  out.resize(rows);
}

}  // namespace penstock::tuple
