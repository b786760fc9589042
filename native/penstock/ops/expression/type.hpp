#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "penstock/tuple/field.hpp"

namespace penstock::ops::expression {

// What a kernel computes with. Dates and times are the numbers that they are in memory.
enum class Type : std::uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat32,
  kFloat64,
};

// By its letter in Arrow's C data interface. Throws std::invalid_argument for any other.
[[nodiscard]] Type type_of(std::string_view letter);

// Whether a column's values lie in memory as those of the type do.
[[nodiscard]] bool stores(const tuple::Field& field, Type type) noexcept;

// Calls `visitor` with a std::type_identity of the C++ type; a boolean is a byte.
template <typename Visitor>
auto visit(Type type, Visitor visitor) {
  switch (type) {
    case Type::kBool:
    case Type::kUInt8:
      return visitor(std::type_identity<std::uint8_t>{});
    case Type::kInt8:
      return visitor(std::type_identity<std::int8_t>{});
    case Type::kInt16:
      return visitor(std::type_identity<std::int16_t>{});
    case Type::kInt32:
      return visitor(std::type_identity<std::int32_t>{});
    case Type::kInt64:
      return visitor(std::type_identity<std::int64_t>{});
    case Type::kUInt16:
      return visitor(std::type_identity<std::uint16_t>{});
    case Type::kUInt32:
      return visitor(std::type_identity<std::uint32_t>{});
    case Type::kUInt64:
      return visitor(std::type_identity<std::uint64_t>{});
    case Type::kFloat32:
      return visitor(std::type_identity<float>{});
    case Type::kFloat64:
      break;
  }
  return visitor(std::type_identity<double>{});
}

// Bytes of a value in a block.
[[nodiscard]] inline std::int64_t width_of(Type type) {
  return visit(type, []<typename Value>(std::type_identity<Value> /*of*/) {
    return static_cast<std::int64_t>(sizeof(Value));
  });
}

}  // namespace penstock::ops::expression
