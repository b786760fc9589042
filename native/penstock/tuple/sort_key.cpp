#include "penstock/tuple/sort_key.hpp"

#include <cmath>
#include <cstring>
#include <string_view>

#include "penstock/base/check.hpp"
#include "penstock/tuple/column_values.hpp"

namespace penstock::tuple {

namespace {

// The most significant byte first.
void append_backwards(const char* value, std::int64_t width, unsigned flipped, std::string& out) {
  for (std::int64_t at = width - 1; at >= 0; --at) {
    const auto byte = static_cast<unsigned char>(value[at]);
    out.push_back(static_cast<char>(at == width - 1 ? byte ^ flipped : byte));
  }
}

template <typename Float, typename Bits>
void append_float(const char* value, std::string& out) {
  Float number{};
  std::memcpy(&number, value, sizeof number);
  if (std::isnan(number)) number = std::abs(number);
  Bits bits{};
  std::memcpy(&bits, &number, sizeof bits);
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  bits = (bits & kSign) != 0 ? static_cast<Bits>(~bits) : (bits | kSign);
  std::string raw(sizeof bits, '\0');
  std::memcpy(raw.data(), &bits, sizeof bits);
  append_backwards(raw.data(), sizeof bits, 0, out);
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
  constexpr unsigned kSign = 0x80;
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
      if (field.width == sizeof(float)) {
        append_float<float, std::uint32_t>(value, out);
        return;
      }
      if (field.width == sizeof(double)) {
        append_float<double, std::uint64_t>(value, out);
        return;
      }
      break;
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
