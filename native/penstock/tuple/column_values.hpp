#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::tuple {

// Single values of a column, by row of the slice.
[[nodiscard]] inline bool is_null(const Field& field, const ColumnSlice& column,
                                  std::int64_t row) noexcept {
  if (field.kind == Kind::kNull) return true;
  const void* const valid = column.array->null_count == 0 ? nullptr : column.array->buffers[0];
  return valid != nullptr && !bit_at(valid, column.offset + row);
}

// Of a column of fixed width.
[[nodiscard]] inline const char* value_at(const Field& field, const ColumnSlice& column,
                                          std::int64_t row) noexcept {
  return static_cast<const char*>(column.array->buffers[1]) + ((column.offset + row) * field.width);
}

// Of a column of strings or binary, that is not null there.
[[nodiscard]] inline std::string_view bytes_at(const Field& field, const ColumnSlice& column,
                                               std::int64_t row) noexcept {
  const auto view = [&](const auto* offsets) -> std::string_view {
    const auto* const data = static_cast<const char*>(column.array->buffers[2]);
    const std::int64_t at = column.offset + row;
    return {data + offsets[at], static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
  };
  if (field.kind == Kind::kBytes) {
    return view(static_cast<const std::int32_t*>(column.array->buffers[1]));
  }
  return view(static_cast<const std::int64_t*>(column.array->buffers[1]));
}

// Of a column of whole numbers, dates, times or timestamps, that is not null there.
[[nodiscard]] inline std::int64_t whole_at(const Field& field, const ColumnSlice& column,
                                           std::int64_t row) noexcept {
  const char* const value = value_at(field, column, row);
  const auto read = [value]<typename Value>(Value number) -> std::int64_t {
    std::memcpy(&number, value, sizeof number);
    return static_cast<std::int64_t>(number);
  };
  const bool is_signed = field.kind == Kind::kSigned;
  switch (field.width) {
    case 1:
      return is_signed ? read(std::int8_t{}) : read(std::uint8_t{});
    case 2:
      return is_signed ? read(std::int16_t{}) : read(std::uint16_t{});
    case 4:
      return is_signed ? read(std::int32_t{}) : read(std::uint32_t{});
    default:
      return read(std::int64_t{});
  }
}

}  // namespace penstock::tuple
