#include "penstock/tuple/sort_key.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string_view>

#include "penstock/base/check.hpp"
#include "penstock/tuple/column_values.hpp"

namespace penstock::tuple {

namespace {

constexpr unsigned kSign = 0x80;

// The most significant byte first.
void append_backwards(const char* value, std::int64_t width, unsigned flipped, std::string& out) {
  for (std::int64_t at = width - 1; at >= 0; --at) {
    const auto byte = static_cast<unsigned char>(value[at]);
    out.push_back(static_cast<char>(at == width - 1 ? byte ^ flipped : byte));
  }
}

template <typename Bits>
bool is_nan(const char* value, Bits infinity) {
  Bits bits{};
  std::memcpy(&bits, value, sizeof bits);
  constexpr auto kWithoutSign = static_cast<Bits>(std::numeric_limits<Bits>::max() >> 1U);
  return (bits & kWithoutSign) > infinity;
}

bool is_nan(const char* value, std::int64_t width) {
  switch (width) {
    case 2:
      return is_nan<std::uint16_t>(value, 0x7C00U);
    case 4:
      return is_nan<std::uint32_t>(value, 0x7F800000U);
    default:
      return is_nan<std::uint64_t>(value, 0x7FF0000000000000U);
  }
}

bool is_zero(char byte) { return byte == '\0'; }

// The larger a negative number's bits, the smaller it is.
void append_float(const char* value, std::int64_t width, std::string& out) {
  if (is_nan(value, width)) {
    out.append(static_cast<std::size_t>(width), '\xFF');
    return;
  }
  // -0.0 is the same as 0.0.
  const auto highest = static_cast<unsigned char>(value[width - 1]);
  const bool zero = (highest & ~kSign) == 0 && std::all_of(value, value + width - 1, is_zero);
  const bool negative = !zero && (highest & kSign) != 0;
  if (zero) {
    out.push_back(static_cast<char>(kSign));
    out.append(static_cast<std::size_t>(width - 1), '\0');
    return;
  }
  const auto before = static_cast<std::ptrdiff_t>(out.size());
  append_backwards(value, width, negative ? 0 : kSign, out);
  if (negative) {
    std::transform(out.begin() + before, out.end(), out.begin() + before,
                   [](char byte) { return static_cast<char>(~static_cast<unsigned char>(byte)); });
  }
}

// A zero byte is followed by 0xFF, so that the end, two zero bytes, comes before any longer value.
void append_text(std::string_view text, std::string& out) {
  for (const char each : text) {
    out.push_back(each);
    if (each == '\0') out.push_back('\xFF');
  }
  out.append(2, '\0');
}

}  // namespace

void append_sort_key(const Field& field, const ColumnSlice& column, std::int64_t row,
                     std::string& out) {
  if (is_null(field, column, row)) {
    out.push_back('\0');
    return;
  }
  out.push_back('\1');
  const char* const value = value_at(field, column, row);
  switch (field.kind) {
    case Kind::kBool:
      out.push_back(bit_at(column.array->buffers[1], column.offset + row) ? '\1' : '\0');
      return;
    case Kind::kSigned:
    case Kind::kDecimal:
      append_backwards(value, field.width, kSign, out);
      return;
    case Kind::kUnsigned:
      append_backwards(value, field.width, 0, out);
      return;
    case Kind::kFloat:
      append_float(value, field.width, out);
      return;
    case Kind::kFixedBytes:
      out.append(value, static_cast<std::size_t>(field.width));
      return;
    case Kind::kBytes:
    case Kind::kLargeBytes:
      append_text(bytes_at(field, column, row), out);
      return;
    default:
      break;
  }
  PENSTOCK_CHECK(false, "such a column is no key");
}

}  // namespace penstock::tuple
