#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/accumulator_states.hpp"

// Accumulators of counts, sums and single values. Included by accumulator.cpp only.
namespace penstock::ops::kinds {

// Of rows, or of values.
template <bool kRows>
class Count final : public Keeping<std::int64_t> {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    auto* const made = static_cast<std::int64_t*>(out.values);
    if constexpr (kRows) {
      for (std::size_t i = 0; i < rows.size(); ++i) made[rows[i]] = ++at(ids[i]);
    } else {
      const Nulls nulls(values);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        made[rows[i]] = at(ids[i]) += nulls[rows[i]] ? 0 : 1;
      }
    }
  }
  [[nodiscard]] bool makes_null(const tuple::ColumnSlice& /*values*/) const override {
    return false;
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    auto* const made = static_cast<std::int64_t*>(out[0].values);
    for (std::size_t i = 0; i < ids.size(); ++i) made[i] = at(ids[i]);
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    const auto* const given = values_of<std::int64_t>(saved[0]);
    for (std::size_t i = 0; i < rows.size(); ++i) at(ids[i]) = given[rows[i]];
  }
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
  [[gnu::always_inline]] static std::int64_t next(std::int64_t total, Value value) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(total, value, &sum)) return sum;
    fail(total, std::to_string(value));
  }

 private:
  // Apart: with it in the loop over the rows, every addition was a call.
  [[noreturn, gnu::cold, gnu::noinline]] static void fail(std::int64_t total,
                                                          const std::string& value) {
    throw std::overflow_error("the sum of a key, " + std::to_string(total) + " + " + value +
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

struct First {
  template <typename Total, typename Value>
  static Total first(Value value) noexcept {
    return value;
  }
  template <typename Value, typename Other>
  static Value next(Value first, Other /*value*/) noexcept {
    return first;
  }
};

struct Last {
  template <typename Total, typename Value>
  static Total first(Value value) noexcept {
    return value;
  }
  template <typename Value, typename Other>
  static Value next(Value /*last*/, Other value) noexcept {
    return value;
  }
};

template <typename Total>
struct Known {
  Total total{};
  bool known = false;
};

// A sum, or one of the values: the smallest, the largest, the first or the last.
template <typename Value, typename Total, typename Step>
class Fold final : public Keeping<Known<Total>> {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    std::int32_t row = 0;
    try {
      if (const Nulls nulls(values); nulls.none()) {
        update_all(values, rows, ids, out, row);
      } else {
        update_some(values, nulls, rows, ids, out, row);
      }
    } catch (const std::overflow_error&) {
      throw graph::FailedAtRow(row, std::current_exception());
    }
  }
  [[nodiscard]] bool makes_null(const tuple::ColumnSlice& values) const override {
    return !Nulls(values).none();
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    auto* const made = static_cast<Total*>(out[0].values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const State state = this->at(ids[i]);
      made[i] = state.total;
      out[0].valid[i] = state.known ? 1 : 0;
    }
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    const Nulls nulls(saved[0]);
    const auto given = values_of<Total>(saved[0]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool known = !nulls[rows[i]];
      this->at(ids[i]) = {.total = known ? given[rows[i]] : Total{}, .known = known};
    }
  }

 private:
  using State = Known<Total>;

  // Nothing made is null where no value is, and that is what a column begins with.
  void update_all(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
                  std::span<const std::uint32_t> ids, Column out, std::int32_t& row) {
    const auto given = values_of<Value>(values);
    auto* const made = static_cast<Total*>(out.values);
    State* const states = this->data();  // what is stored might be taken to move them
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row = rows[i];
      State& state = states[ids[i]];
      add(state, given[row]);
      made[row] = state.total;
    }
  }

  void update_some(const tuple::ColumnSlice& values, const Nulls& nulls,
                   std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids,
                   Column out, std::int32_t& row) {
    const auto given = values_of<Value>(values);
    auto* const made = static_cast<Total*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row = rows[i];
      State& state = this->at(ids[i]);
      if (!nulls[row]) add(state, given[row]);
      made[row] = state.total;
      out.valid[row] = state.known ? 1 : 0;
    }
  }

  [[gnu::always_inline]] static void add(State& state, Value value) {
    // A sum of whole numbers begins with 0, which is what is there before the first value. One of
    // doubles does not: 0.0 + -0.0 is 0.0.
    constexpr bool kBegun = std::is_same_v<Step, Sum> && std::is_integral_v<Total>;
    if (kBegun || state.known) {
      state.total = Step::next(state.total, value);
    } else {
      state.total = Step::template first<Total>(value);
    }
    state.known = true;
  }
};

}  // namespace penstock::ops::kinds
