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

  // Makes room for keys below this number. Must come before a number is used.
  virtual void reserve(std::uint32_t keys) = 0;

  // Takes the values of these rows in, one after another, and writes down what there is after each.
  // Row rows[i] is of key ids[i]. Throws graph::FailedAtRow.
  virtual void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
                      std::span<const std::uint32_t> ids, Column out) = 0;

  // Writes what is known of key ids[i] into place i, so that restore() finds it there: a column
  // for each of saved_fields().
  virtual void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const = 0;
  // What is known of key ids[i] is in row rows[i].
  virtual void restore(std::span<const tuple::ColumnSlice> saved,
                       std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids) = 0;
  // These numbers will be used for other keys.
  virtual void forget(std::span<const std::uint32_t> ids) noexcept = 0;
  // All of them, and the memory.
  virtual void clear() noexcept = 0;

  // Memory taken.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

// How wide the values of an aggregate are, in bytes. Throws std::invalid_argument, naming the
// column, for one that cannot be aggregated that way.
[[nodiscard]] std::int64_t width_of(const Aggregate& aggregate,
                                    const std::vector<tuple::Field>& fields);

// The columns that save an aggregate, in its order.
[[nodiscard]] std::vector<tuple::Field> saved_fields(const Aggregate& aggregate,
                                                     const std::vector<tuple::Field>& fields);

[[nodiscard]] std::unique_ptr<Accumulator> make_accumulator(
    const Aggregate& aggregate, const std::vector<tuple::Field>& fields);

}  // namespace penstock::ops
