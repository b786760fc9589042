#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/tuple/field.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// Writes keys back into columns: the way back from what KeyColumns makes of these columns. What is
// one key there is one value here, so all NaN become one and -0.0 becomes 0.0. A column with a
// dictionary becomes one of its values, and one of views becomes a large one: keys of many
// batches may not fit into 32 bits.
//
// Immutable after construction: threads may share one.
class KeyWriter {
 public:
  // The columns must be such that a KeyColumns can be made of them.
  KeyWriter(const Schema& schema, const std::vector<int>& columns);

  // What is written, in the order of the key.
  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }

  // Keys as KeyColumns::words gives them; adds the column to `out`.
  void write(std::span<const std::uint64_t> words, std::span<const std::uint8_t> nulls,
             OwnArray& out) const;
  // Keys as KeyColumns::bytes gives them; adds the columns to `out`. Throws std::length_error,
  // naming the column, if its type cannot hold that many bytes.
  void write(std::span<const std::string_view> keys, OwnArray& out) const;

 private:
  std::vector<Field> fields_;
};

}  // namespace penstock::tuple
