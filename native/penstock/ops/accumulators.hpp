#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/bits.hpp"

// The kinds of accumulators. Included by accumulator.cpp only.
namespace penstock::ops::kinds {

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

// What is known of each key, by its number; State{} is what is known of a new one.
template <typename State>
class Keeping : public Accumulator {
 public:
  void reserve(std::uint32_t keys) final {
    states_.resize(std::max<std::size_t>(keys, states_.size()));
  }
  void forget(std::span<const std::uint32_t> ids) noexcept final {
    for (const auto id : ids) {
      if (id < states_.size()) states_[id] = State{};
    }
  }
  void clear() noexcept final { states_ = std::vector<State>(); }
  [[nodiscard]] std::size_t bytes() const noexcept final {
    return states_.capacity() * sizeof(State);
  }

 protected:
  [[nodiscard]] State& at(std::uint32_t id) noexcept { return states_[id]; }
  // A key has no state yet where memory ran out between the two.
  [[nodiscard]] State at(std::uint32_t id) const noexcept {
    return id < states_.size() ? states_[id] : State{};
  }

 private:
  std::vector<State> states_;
};

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

template <typename Total>
struct Known {
  Total total{};
  bool known = false;
};

// A sum, or the smallest or largest value.
template <typename Value, typename Total, typename Step>
class Fold final : public Keeping<Known<Total>> {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    const Nulls nulls(values);
    const auto* const given = values_of<Value>(values);
    auto* const made = static_cast<Total*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      State& state = this->at(ids[i]);
      if (!nulls[row]) add(state, given[row], row);
      made[row] = state.total;
      out.valid[row] = state.known ? 1 : 0;
    }
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
    const auto* const given = values_of<Total>(saved[0]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool known = !nulls[rows[i]];
      this->at(ids[i]) = {.total = known ? given[rows[i]] : Total{}, .known = known};
    }
  }

 private:
  using State = Known<Total>;

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
};

struct SumAndCount {
  double sum = 0;
  double count = 0;
};

template <typename Value>
class Mean final : public Keeping<SumAndCount> {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    const Nulls nulls(values);
    const auto* const given = values_of<Value>(values);
    auto* const made = static_cast<double*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      SumAndCount& state = at(ids[i]);
      if (!nulls[row]) {
        state.sum += static_cast<double>(given[row]);
        state.count += 1;
      }
      made[row] = state.count == 0 ? 0 : state.sum / state.count;
      out.valid[row] = state.count == 0 ? 0 : 1;
    }
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    auto* const sums = static_cast<double*>(out[0].values);
    auto* const counts = static_cast<std::int64_t*>(out[1].values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      sums[i] = at(ids[i]).sum;
      counts[i] = static_cast<std::int64_t>(at(ids[i]).count);
    }
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    const auto* const sums = values_of<double>(saved[0]);
    const auto* const counts = values_of<std::int64_t>(saved[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      at(ids[i]) = {.sum = sums[rows[i]], .count = static_cast<double>(counts[rows[i]])};
    }
  }
};

}  // namespace penstock::ops::kinds
