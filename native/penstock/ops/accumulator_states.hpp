#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/bits.hpp"

// What the kinds of accumulators are made of. Included by them only.
namespace penstock::ops::kinds {

// Which values of a column are null, by row of the batch.
class Nulls {
 public:
  explicit Nulls(const tuple::ColumnSlice& slice)
      : all_(slice.array->n_buffers == 0),  // a column of type null
        valid_(all_ || slice.array->null_count == 0 ? nullptr : slice.array->buffers[0]),
        offset_(slice.offset) {}

  [[nodiscard]] bool none() const noexcept { return !all_ && valid_ == nullptr; }
  [[nodiscard]] bool operator[](std::int32_t row) const noexcept {
    return all_ || (valid_ != nullptr && !tuple::bit_at(valid_, offset_ + row));
  }

 private:
  bool all_;
  const void* valid_;
  std::int64_t offset_;
};

// The values themselves, by row of the batch.
struct Bits {
  const void* bits;
  std::int64_t offset;

  [[nodiscard]] bool operator[](std::int32_t row) const noexcept {
    return tuple::bit_at(bits, offset + row);
  }
};

template <typename Value>
auto values_of(const tuple::ColumnSlice& slice) {
  if constexpr (std::is_same_v<Value, bool>) {
    return Bits{.bits = slice.array->buffers[1], .offset = slice.offset};
  } else {
    return static_cast<const Value*>(slice.array->buffers[1]) + slice.offset;
  }
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
  [[nodiscard]] State* data() noexcept { return states_.data(); }
  [[nodiscard]] State& at(std::uint32_t id) noexcept { return states_[id]; }
  // A key has no state yet where memory ran out between the two.
  [[nodiscard]] State at(std::uint32_t id) const noexcept {
    return id < states_.size() ? states_[id] : State{};
  }

 private:
  std::vector<State> states_;
};

}  // namespace penstock::ops::kinds
