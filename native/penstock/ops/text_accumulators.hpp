#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/column_values.hpp"

// Accumulators of strings and binary. Included by accumulator.cpp only.
namespace penstock::ops::kinds {

struct TextFirst {
  static bool replaces(std::string_view /*known*/, std::string_view /*value*/) { return false; }
};
struct TextLast {
  static bool replaces(std::string_view /*known*/, std::string_view /*value*/) { return true; }
};
template <bool kLargest>
struct TextExtreme {
  static bool replaces(std::string_view known, std::string_view value) {
    return kLargest ? value > known : value < known;
  }
};

// One of the values: the smallest or largest, byte by byte, the first or the last.
template <typename Step>
class Text final : public Accumulator {
 public:
  explicit Text(tuple::Field field) : field_(std::move(field)) {}

  void reserve(std::uint32_t keys) override {
    known_.resize(std::max<std::size_t>(keys, known_.size()));
  }
  void update(const tuple::ColumnSlice& values, std::span<const std::int32_t> rows,
              std::span<const std::uint32_t> ids, Column out) override {
    PENSTOCK_CHECK(rows.empty() || out.texts != nullptr, "strings have no width");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int32_t row = rows[i];
      if (!tuple::is_null(field_, values, row)) {
        const auto value = tuple::bytes_at(field_, values, row);
        const Known& known = known_[ids[i]];
        if (!known.known || Step::replaces(known.value, value)) put(ids[i], value);
      }
      out.texts[row] = known_[ids[i]].value;
      out.valid[row] = known_[ids[i]].known ? 1 : 0;
    }
  }
  void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const override {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const bool known = ids[i] < known_.size() && known_[ids[i]].known;
      out[0].texts[i] = known ? known_[ids[i]].value : std::string();
      out[0].valid[i] = known ? 1 : 0;
    }
  }
  void restore(std::span<const tuple::ColumnSlice> saved, std::span<const std::int32_t> rows,
               std::span<const std::uint32_t> ids) override {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (tuple::is_null(field_, saved[0], rows[i])) continue;
      put(ids[i], tuple::bytes_at(field_, saved[0], rows[i]));
    }
  }
  void forget(std::span<const std::uint32_t> ids) noexcept override {
    for (const auto id : ids) {
      if (id >= known_.size()) continue;
      text_bytes_ -= known_[id].value.size();
      known_[id] = Known{};
    }
  }
  void clear() noexcept override {
    known_ = std::vector<Known>();
    text_bytes_ = 0;
  }
  [[nodiscard]] std::size_t bytes() const noexcept override {
    return (known_.capacity() * sizeof(Known)) + text_bytes_;
  }

 private:
  struct Known {
    std::string value;
    bool known = false;
  };

  void put(std::uint32_t id, std::string_view value) {
    Known& known = known_[id];
    text_bytes_ -= known.value.size();
    known.value.assign(value);
    text_bytes_ += value.size();
    known.known = true;
  }

  tuple::Field field_;
  std::vector<Known> known_;  // by key
  std::size_t text_bytes_ = 0;
};

}  // namespace penstock::ops::kinds
