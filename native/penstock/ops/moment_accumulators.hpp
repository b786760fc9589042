#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "penstock/ops/accumulator_states.hpp"

// Accumulators of means and variances. Included by accumulator.cpp only.
namespace penstock::ops::kinds {

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
    const auto given = values_of<Value>(values);
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

// Of the values so far: how many, their mean, and the sum of the squares of their distance from it.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;
};

// The variance of a sample, or its root, in one pass that stays exact for values far from zero
// (Welford 1962). One value has none.
template <typename Value, bool kRoot>
class Variance final : public Keeping<Moments> {
 public:
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    const Nulls nulls(values);
    const auto given = values_of<Value>(values);
    auto* const made = static_cast<double*>(out.values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      Moments& known = at(ids[i]);
      if (!nulls[row]) add(known, static_cast<double>(given[row]));
      const double variance = known.count < 2 ? 0 : known.squares / (known.count - 1);
      made[row] = kRoot ? std::sqrt(variance) : variance;
      out.valid[row] = known.count < 2 ? 0 : 1;
    }
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    auto* const means = static_cast<double*>(out[0].values);
    auto* const squares = static_cast<double*>(out[1].values);
    auto* const counts = static_cast<std::int64_t*>(out[2].values);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Moments known = at(ids[i]);
      means[i] = known.mean;
      squares[i] = known.squares;
      counts[i] = static_cast<std::int64_t>(known.count);
    }
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    const auto* const means = values_of<double>(saved[0]);
    const auto* const squares = values_of<double>(saved[1]);
    const auto* const counts = values_of<std::int64_t>(saved[2]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      at(ids[i]) = {.count = static_cast<double>(counts[rows[i]]),
                    .mean = means[rows[i]],
                    .squares = squares[rows[i]]};
    }
  }

 private:
  static void add(Moments& known, double value) noexcept {
    known.count += 1;
    const double from_before = value - known.mean;
    known.mean += from_before / known.count;
    known.squares += from_before * (value - known.mean);
  }
};

}  // namespace penstock::ops::kinds
