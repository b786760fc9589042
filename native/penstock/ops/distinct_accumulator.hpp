#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/ops/distinct_sketch.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/key_readers.hpp"

// Included by accumulator.cpp only.
namespace penstock::ops::kinds {

// Roughly how many different values; which are the same is as with keys.
class ApproxDistinct final : public Accumulator {
 public:
  explicit ApproxDistinct(tuple::Field field) : field_(std::move(field)) {}

  void reserve(std::uint32_t keys) override {
    sketches_.resize(std::max<std::size_t>(keys, sketches_.size()));
  }
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    auto* const made = static_cast<std::int64_t*>(out.values);
    tuple::keys::with_reader(field_, *values.array, [&](auto value_at) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        DistinctSketch& sketch = sketches_[ids[i]];
        if (!tuple::is_null(field_, values, rows[i])) {
          const std::size_t before = sketch.bytes();
          sketch.add(tuple::keys::hash_of(value_at(values.offset + rows[i])));
          sketch_bytes_ += sketch.bytes() - before;
        }
        made[rows[i]] = sketch.count();
      }
    });
  }
  [[nodiscard]] bool makes_null(const tuple::ColumnSlice& /*values*/) const override {
    return false;
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    PENSTOCK_CHECK(ids.empty() || out[0].texts != nullptr, "sketches have no width");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < sketches_.size()) sketches_[ids[i]].save(out[0].texts[i]);
    }
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      DistinctSketch& sketch = sketches_[ids[i]];
      const std::size_t before = sketch.bytes();
      sketch.restore(tuple::bytes_at(saved_field(), saved[0], rows[i]));
      sketch_bytes_ += sketch.bytes() - before;
    }
  }
  void forget(std::span<const std::uint32_t> ids) noexcept override {
    for (const auto id : ids) {
      if (id >= sketches_.size()) continue;
      sketch_bytes_ -= sketches_[id].bytes();
      sketches_[id] = DistinctSketch();
    }
  }
  void clear() noexcept override {
    sketches_ = std::vector<DistinctSketch>();
    sketch_bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return (sketches_.capacity() * sizeof(DistinctSketch)) + sketch_bytes_;
  }

  [[nodiscard]] static tuple::Field saved_field(std::string name = {}) {
    return {.name = std::move(name), .format = "Z", .kind = tuple::Kind::kLargeBytes};
  }

 private:
  tuple::Field field_;
  std::vector<DistinctSketch> sketches_;  // by key
  std::size_t sketch_bytes_ = 0;
};

}  // namespace penstock::ops::kinds
