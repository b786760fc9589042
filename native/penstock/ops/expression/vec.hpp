#pragma once

#include <cstdint>

namespace penstock::ops::expression {

// Rows that are worked on at a time: what is computed on the way stays in the nearest caches,
// however long a tuple is. A multiple of 8, so that blocks begin at whole bytes of a bitmap.
inline constexpr std::int64_t kBlockRows = 1024;

// The values of a block's rows. Booleans take a byte each, which is 0 or 1 also where there is
// none.
struct Vec {
  const void* values = nullptr;
  // A byte for each row, 1 where there is a value and 0 where it is null; nullptr: no row is null.
  const std::uint8_t* valid = nullptr;

  template <typename Value>
  [[nodiscard]] const Value* as() const noexcept {
    return static_cast<const Value*>(values);
  }
  [[nodiscard]] bool has(std::int64_t row) const noexcept {
    return valid == nullptr || valid[row] != 0;
  }
};

// Where a kernel puts what it makes.
struct Made {
  void* values = nullptr;
  std::uint8_t* valid_room = nullptr;
  const std::uint8_t* valid = nullptr;  // valid_room, the bytes of an argument, or nullptr

  template <typename Value>
  [[nodiscard]] Value* as() const noexcept {
    return static_cast<Value*>(values);
  }
};

}  // namespace penstock::ops::expression
