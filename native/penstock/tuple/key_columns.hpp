#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// The hash of null, whatever the type: the first 64 bits of the fraction of pi.
inline constexpr std::uint64_t kNullHash = 0x243F6A8885A308D3U;

// Where composite keys are put together: the caller's, so that a warm one costs no allocation.
struct KeyArena {
  std::string bytes;
  std::vector<std::size_t> ends;
};

// The columns that make up the key of a row. Which keys are equal:
//
// * Null is a key of its own, equal to null.
// * All NaN are one key, and -0.0 equals 0.0.
// * Strings and binary are equal if their bytes are; how a column stores them does not matter, nor
//   whether it has a dictionary.
// * The rest is equal if its values are. Intervals are equal field by field: a month is not 30
// days.
// * Composite keys are equal column by column: ("a", "bc") is not ("ab", "c").
//
// Integers, dates, times and timestamps hash by their 64-bit value, floats as a double, decimals by
// their unscaled value, so that a wider type of the same kind moves no key.
//
// Immutable after construction: threads may share one.
class KeyColumns {
 public:
  // Throws std::invalid_argument, naming the column, for what cannot be a key.
  KeyColumns(const Schema& schema, const std::vector<int>& columns);

  // The key's hash of every row.
  void hash(const Batch& batch, std::vector<std::uint64_t>& out) const;

  // True if a key fits into 64 bits: one column of numbers. Such keys are compared as words, all
  // others as bytes.
  [[nodiscard]] bool is_word() const noexcept { return word_; }

  // Only if is_word(). Two rows have the same key if both are null, or neither is and their words
  // are equal. `nulls` is left empty if there are none. The words lie in the batch itself where it
  // has them as such, and in `read` otherwise; they last as long as both are left alone.
  [[nodiscard]] std::span<const std::uint64_t> words(const Batch& batch,
                                                     std::vector<std::uint64_t>& read,
                                                     std::vector<std::uint8_t>& nulls) const;

  // Only if not is_word(). Two rows have the same key if their bytes are equal; of a single column,
  // null is a view whose data() is null, and empty is one whose data() is not. The views lead into
  // the batch or into `arena`, and last as long as both are left alone.
  void bytes(const Batch& batch, std::vector<std::string_view>& keys, KeyArena& arena) const;

 private:
  struct Column {
    int position = 0;
    Field field;
  };

  std::vector<Column> columns_;
  bool word_ = false;
  bool has_dictionary_ = false;
};

}  // namespace penstock::tuple
