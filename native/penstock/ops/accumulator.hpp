#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

// What is kept of the values of a key. Nulls are passed over; before the first value every one but
// a count is null. Sums of whole numbers are exact or fail; NaN is larger than any number.
enum class Function { kCount, kSum, kMin, kMax, kMean };

struct Aggregate {
  static constexpr int kRows = -1;

  Function function = Function::kCount;
  int column = kRows;  // kRows, for a count of rows whatever is in them
};

// Where the values of a running aggregate go, a row's into its own place.
struct Column {
  void* values = nullptr;
  std::uint8_t* valid = nullptr;  // a byte for each row
};

// One aggregate of the keys of one part. Keys have numbers, from 0 on.
class Accumulator {
 public:
  Accumulator() = default;
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;
  Accumulator(Accumulator&&) = delete;
  Accumulator& operator=(Accumulator&&) = delete;
  virtual ~Accumulator() = default;

  // Takes the values of these rows in, one after another, and writes down what there is after each.
  // Row rows[i] is of key ids[i], which is below `keys`. Throws graph::FailedAtRow.
  virtual void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
                      std::span<const std::uint32_t> ids, std::uint32_t keys, Column out) = 0;

  // Memory taken.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

// How wide the values of an aggregate are, in bytes. Throws std::invalid_argument, naming the
// column, for one that cannot be aggregated that way.
[[nodiscard]] std::int64_t width_of(const Aggregate& aggregate,
                                    const std::vector<tuple::Field>& fields);

[[nodiscard]] std::unique_ptr<Accumulator> make_accumulator(
    const Aggregate& aggregate, const std::vector<tuple::Field>& fields);

}  // namespace penstock::ops
