#include "penstock/ops/accumulator.hpp"

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/bits.hpp"

namespace penstock::ops {

namespace {

// Which values of a column are null, by row of the batch.
class Nulls {
 public:
  explicit Nulls(const tuple::ColumnSlice& slice)
      : all_(slice.array->n_buffers == 0),  // a column of type null
        valid_(all_ || slice.array->null_count == 0 ? nullptr : slice.array->buffers[0]),
        offset_(slice.offset) {}

  [[nodiscard]] bool operator[](std::int32_t row) const noexcept {
    return all_ || (valid_ != nullptr && !tuple::bit_at(valid_, offset_ + row));
  }

 private:
  bool all_;
  const void* valid_;
  std::int64_t offset_;
};

// The values themselves.
template <typename Value>
const Value* values_of(const tuple::ColumnSlice& slice) {
  return static_cast<const Value*>(slice.array->buffers[1]) + slice.offset;
}

class RowCount final : public Accumulator {
 public:
  void update(const tuple::ColumnSlice& /*values*/, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, std::uint32_t keys, Column out) override {
    counts_.resize(keys);
    auto* const made = static_cast<std::int64_t*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) made[rows[i]] = ++counts_[ids[i]];
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return counts_.capacity() * sizeof(std::int64_t);
  }

 private:
  std::vector<std::int64_t> counts_;
};

class ValueCount final : public Accumulator {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, std::uint32_t keys, Column out) override {
    counts_.resize(keys);
    const Nulls nulls(values);
    auto* const made = static_cast<std::int64_t*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      counts_[ids[i]] += nulls[rows[i]] ? 0 : 1;
      made[rows[i]] = counts_[ids[i]];
    }
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return counts_.capacity() * sizeof(std::int64_t);
  }

 private:
  std::vector<std::int64_t> counts_;
};

struct Sum {
  template <typename Total, typename Value>
  static Total first(Value value) noexcept {
    return static_cast<Total>(value);
  }
  template <typename Value>
  static double next(double total, Value value) noexcept {
    return total + static_cast<double>(value);
  }
  template <typename Value>
  static std::int64_t next(std::int64_t total, Value value) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(total, value, &sum)) return sum;
    throw std::overflow_error("the sum of a key, " + std::to_string(total) + " + " +
                              std::to_string(value) +
                              ", does not fit into 64 bits; sum the column as double");
  }
};

template <bool kLargest>
struct Extreme {
  template <typename Total, typename Value>
  static Total first(Value value) noexcept {
    return value;
  }
  template <typename Value>
  static Value next(Value best, Value value) noexcept {
    if constexpr (std::is_floating_point_v<Value>) {
      if (std::isnan(best)) return kLargest ? best : value;
      if (std::isnan(value)) return kLargest ? value : best;
    }
    const bool better = kLargest ? value > best : value < best;
    return better ? value : best;
  }
};

// A sum, or the smallest or largest value.
template <typename Value, typename Total, typename Step>
class Fold final : public Accumulator {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, std::uint32_t keys, Column out) override {
    totals_.resize(keys);
    const Nulls nulls(values);
    const auto* const given = values_of<Value>(values);
    auto* const made = static_cast<Total*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      State& state = totals_[ids[i]];
      if (!nulls[row]) add(state, given[row], row);
      made[row] = state.total;
      out.valid[row] = state.known ? 1 : 0;
    }
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return totals_.capacity() * sizeof(State);
  }

 private:
  struct State {
    Total total{};
    bool known = false;
  };

  static void add(State& state, Value value, std::int32_t row) {
    if (!state.known) {
      state = {.total = Step::template first<Total>(value), .known = true};
      return;
    }
    try {
      state.total = Step::next(state.total, value);
    } catch (const std::overflow_error&) {
      throw graph::FailedAtRow(row, std::current_exception());
    }
  }

  std::vector<State> totals_;
};

template <typename Value>
class Mean final : public Accumulator {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, std::uint32_t keys, Column out) override {
    states_.resize(keys);
    const Nulls nulls(values);
    const auto* const given = values_of<Value>(values);
    auto* const made = static_cast<double*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      State& state = states_[ids[i]];
      if (!nulls[row]) {
        state.sum += static_cast<double>(given[row]);
        state.count += 1;
      }
      made[row] = state.count == 0 ? 0 : state.sum / state.count;
      out.valid[row] = state.count == 0 ? 0 : 1;
    }
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return states_.capacity() * sizeof(State);
  }

 private:
  struct State {
    double sum = 0;
    double count = 0;
  };

  std::vector<State> states_;
};

template <typename Value>
std::unique_ptr<Accumulator> make_for(Function function) {
  using Wide = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;
  switch (function) {
    case Function::kCount:
      return std::make_unique<ValueCount>();
    case Function::kSum:
      return std::make_unique<Fold<Value, Wide, Sum>>();
    case Function::kMin:
      return std::make_unique<Fold<Value, Value, Extreme<false>>>();
    case Function::kMax:
      return std::make_unique<Fold<Value, Value, Extreme<true>>>();
    case Function::kMean:
      return std::make_unique<Mean<Value>>();
  }
  return nullptr;
}

bool is_number(const tuple::Field& field) noexcept {
  if (!field.dictionary.empty()) return false;
  const bool whole = field.kind == tuple::Kind::kSigned && field.width <= 8;
  return whole || (field.kind == tuple::Kind::kFloat && field.width >= 4);
}

}  // namespace

std::int64_t width_of(const Aggregate& aggregate, const std::vector<tuple::Field>& fields) {
  constexpr std::int64_t kWide = 8;
  if (aggregate.function == Function::kCount) return kWide;
  const tuple::Field& field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (!is_number(field)) {
    throw std::invalid_argument("column " + describe(field) +
                                " cannot be aggregated: it must be a signed whole number, a date "
                                "or timestamp, a float or a double");
  }
  const bool same = aggregate.function == Function::kMin || aggregate.function == Function::kMax;
  return same ? field.width : kWide;
}

std::unique_ptr<Accumulator> make_accumulator(const Aggregate& aggregate,
                                              const std::vector<tuple::Field>& fields) {
  if (aggregate.column == Aggregate::kRows) return std::make_unique<RowCount>();
  if (aggregate.function == Function::kCount) return std::make_unique<ValueCount>();
  const tuple::Field& field = fields.at(static_cast<std::size_t>(aggregate.column));
  if (field.kind == tuple::Kind::kFloat) {
    return field.width == 4 ? make_for<float>(aggregate.function)
                            : make_for<double>(aggregate.function);
  }
  switch (field.width) {
    case 1:
      return make_for<std::int8_t>(aggregate.function);
    case 2:
      return make_for<std::int16_t>(aggregate.function);
    case 4:
      return make_for<std::int32_t>(aggregate.function);
    default:
      return make_for<std::int64_t>(aggregate.function);
  }
}

}  // namespace penstock::ops
