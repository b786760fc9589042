#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "penstock/ops/key_states.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

// What is kept of the values of a key. Nulls are passed over; before the first value every one but
// a count is null, and a variance also before the second. Sums of whole numbers are exact or fail;
// NaN is larger than any number, and strings are compared byte by byte.
enum class Function {
  kCount,
  kSum,
  kMin,
  kMax,
  kMean,
  kVar,
  kStddev,
  kFirst,
  kLast,
  kApproxDistinct,
};

struct Aggregate {
  static constexpr int kRows = -1;

  Function function = Function::kCount;
  int column = kRows;  // kRows, for a count of rows whatever is in them
};

// One aggregate of the keys of one part.
class Accumulator : public KeyStates {
 public:
  // Takes the values of these rows in, one after another, and writes down what there is after each.
  // Row rows[i] is of key ids[i]. Throws graph::FailedAtRow.
  virtual void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
                      std::span<const std::uint32_t> ids, Column out) = 0;
  // Whether what it writes down behind such values may be null; if not, it marks nothing as valid.
  [[nodiscard]] virtual bool makes_null(const tuple::ColumnSlice& /*values*/) const { return true; }
};

// What an aggregate makes: a column of this type, without a name. Throws std::invalid_argument,
// naming the column, for one that cannot be aggregated that way.
[[nodiscard]] tuple::Field made_field(const Aggregate& aggregate,
                                      const std::vector<tuple::Field>& fields);
// How wide its values are, in bytes; 0 for text.
[[nodiscard]] std::int64_t width_of(const Aggregate& aggregate,
                                    const std::vector<tuple::Field>& fields);
[[nodiscard]] bool is_text(const tuple::Field& field) noexcept;

// The columns that save an aggregate, in its order.
[[nodiscard]] std::vector<tuple::Field> saved_fields(const Aggregate& aggregate,
                                                     const std::vector<tuple::Field>& fields);

[[nodiscard]] std::unique_ptr<Accumulator> make_accumulator(
    const Aggregate& aggregate, const std::vector<tuple::Field>& fields);

}  // namespace penstock::ops
