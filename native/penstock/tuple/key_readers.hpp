#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>

#include "penstock/base/check.hpp"
#include "penstock/base/hash.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/field.hpp"

// How key_columns reads one value: as a word, as bytes or as a decimal, in the one form that equal
// keys share. Included by its sources, by those of key_writer, and by what counts different values.
namespace penstock::tuple::keys {

static_assert(std::endian::native == std::endian::little,
              "keys of fixed-size bytes, intervals and decimals are hashed as they lie in memory");

// What a column holds, whether it has a dictionary or not.
inline const Field& values_of(const Field& field) noexcept {
  return field.dictionary.empty() ? field : field.dictionary[0];
}

// Whether a key of such values is one word.
inline bool fits_word(const Field& values) noexcept {
  switch (values.kind) {
    case Kind::kBool:
    case Kind::kSigned:
    case Kind::kUnsigned:
    case Kind::kFloat:
    case Kind::kNull:
      return true;
    case Kind::kDecimal:
      return values.width <= 8;
    default:
      return false;
  }
}

// A decimal of more than 64 bits, cut down to 8, 16 or 32 bytes without losing its value.
struct Decimal {
  std::string_view bytes;
};

inline std::uint64_t hash_of(std::uint64_t word) noexcept { return base::hash64(word); }
inline std::uint64_t hash_of(std::string_view bytes) noexcept {
  return base::hash64(bytes.data(), bytes.size());
}
inline std::uint64_t hash_of(Decimal decimal) noexcept {
  if (decimal.bytes.size() > 8) return hash_of(decimal.bytes);
  std::uint64_t word = 0;
  std::memcpy(&word, decimal.bytes.data(), 8);
  return hash_of(word);
}

inline std::uint64_t word_of(double value) noexcept {
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
}

template <std::integral Value>
struct Integers {
  const Value* values;
  std::uint64_t operator()(std::int64_t row) const noexcept {
    return static_cast<std::uint64_t>(values[row]);
  }
};

template <std::floating_point Value>
struct Floats {
  const Value* values;
  std::uint64_t operator()(std::int64_t row) const noexcept { return word_of(values[row]); }
};

struct Halves {
  const std::uint16_t* values;
  std::uint64_t operator()(std::int64_t row) const noexcept {
    const unsigned bits = values[row];
    const int exponent = static_cast<int>((bits >> 10U) & 31U);
    const double fraction = bits & 1023U;
    double value =
        std::ldexp(exponent == 0 ? fraction : fraction + 1024, (exponent == 0 ? 1 : exponent) - 25);
    if (exponent == 31) value = fraction == 0 ? HUGE_VAL : std::nan("");
    return word_of((bits >> 15U) != 0 ? -value : value);
  }
};

struct Bools {
  const void* bits;
  std::uint64_t operator()(std::int64_t row) const noexcept { return bit_at(bits, row) ? 1 : 0; }
};

struct Decimals {
  const char* values;
  std::int64_t width;
  Decimal operator()(std::int64_t row) const noexcept {
    const char* value = values + (row * width);
    std::int64_t size = width;
    while (size > 8 && extends(value, size / 2, size)) size /= 2;
    return {{value, static_cast<std::size_t>(size)}};
  }

 private:
  // Whether bytes `from` to `to` only repeat the sign of what is below them.
  static bool extends(const char* value, std::int64_t from, std::int64_t to) noexcept {
    const char sign = value[from - 1] < 0 ? '\xFF' : '\0';
    for (std::int64_t at = from; at < to; ++at) {
      if (value[at] != sign) return false;
    }
    return true;
  }
};

struct FixedBytes {
  const char* values;
  std::int64_t width;
  std::string_view operator()(std::int64_t row) const noexcept {
    return {values + (row * width), static_cast<std::size_t>(width)};
  }
};

template <std::integral Offset>
struct Bytes {
  const Offset* offsets;
  const char* values;  // never null: an empty key is not a null one
  std::string_view operator()(std::int64_t row) const noexcept {
    return {values + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row])};
  }
};

struct Views {
  const char* views;
  const void* const* buffers;
  std::string_view operator()(std::int64_t row) const noexcept {
    const char* view = views + (row * 16);
    struct {
      std::int32_t size, prefix, buffer, offset;
    } header{};
    std::memcpy(&header, view, sizeof(header));
    const auto size = static_cast<std::size_t>(header.size);
    if (size <= 12) return {view + 4, size};
    return {static_cast<const char*>(buffers[2 + header.buffer]) + header.offset, size};
  }
};

inline const char* not_null(const void* data) noexcept {
  return data != nullptr ? static_cast<const char*>(data) : "";
}

template <typename Use>
void with_number_reader(const Field& field, const void* data, Use use) {
  const bool is_signed = field.kind != Kind::kUnsigned;
  switch (field.width) {
    case 1:
      return is_signed ? use(Integers<std::int8_t>{static_cast<const std::int8_t*>(data)})
                       : use(Integers<std::uint8_t>{static_cast<const std::uint8_t*>(data)});
    case 2:
      return is_signed ? use(Integers<std::int16_t>{static_cast<const std::int16_t*>(data)})
                       : use(Integers<std::uint16_t>{static_cast<const std::uint16_t*>(data)});
    case 4:
      return is_signed ? use(Integers<std::int32_t>{static_cast<const std::int32_t*>(data)})
                       : use(Integers<std::uint32_t>{static_cast<const std::uint32_t*>(data)});
    default:
      return use(Integers<std::int64_t>{static_cast<const std::int64_t*>(data)});
  }
}

template <typename Use>
void with_float_reader(const Field& field, const void* data, Use use) {
  if (field.width == 2) return use(Halves{static_cast<const std::uint16_t*>(data)});
  if (field.width == 4) return use(Floats<float>{static_cast<const float*>(data)});
  use(Floats<double>{static_cast<const double*>(data)});
}

// Calls `use` with what reads the values of a column that has neither a dictionary nor the type
// null, by their place in its buffers. A reader is a value of few words, made for each batch.
template <typename Use>
void with_reader(const Field& field, const ArrowArray& array, Use use) {
  const void* data = array.buffers[1];
  switch (field.kind) {
    case Kind::kBool:
      return use(Bools{data});
    case Kind::kSigned:
    case Kind::kUnsigned:
      return with_number_reader(field, data, use);
    case Kind::kFloat:
      return with_float_reader(field, data, use);
    case Kind::kDecimal:
      if (field.width <= 8) return with_number_reader(field, data, use);
      return use(Decimals{.values = static_cast<const char*>(data), .width = field.width});
    case Kind::kFixedBytes:
      return use(FixedBytes{.values = not_null(data), .width = field.width});
    case Kind::kBytes:
      return use(Bytes<std::int32_t>{.offsets = static_cast<const std::int32_t*>(data),
                                     .values = not_null(array.buffers[2])});
    case Kind::kLargeBytes:
      return use(Bytes<std::int64_t>{.offsets = static_cast<const std::int64_t*>(data),
                                     .values = not_null(array.buffers[2])});
    case Kind::kBytesView:
      return use(Views{.views = static_cast<const char*>(data), .buffers = array.buffers});
    default:
      PENSTOCK_CHECK(false, "key columns are checked when they are chosen");
  }
}

// The validity bitmap, or null if every row has a value.
[[nodiscard]] inline const void* validity(const ArrowArray& array) noexcept {
  return array.null_count == 0 || array.n_buffers == 0 ? nullptr : array.buffers[0];
}

// Whether the values of a column lie in memory as their words do.
[[nodiscard]] inline bool lie_as_words(const Field& field, const ColumnSlice& slice) noexcept {
  const bool whole =
      field.kind == Kind::kSigned || field.kind == Kind::kUnsigned || field.kind == Kind::kDecimal;
  return whole && field.width == 8 && field.dictionary.empty() && validity(*slice.array) == nullptr;
}
[[nodiscard]] inline std::span<const std::uint64_t> lying_words(const ColumnSlice& slice) noexcept {
  return {static_cast<const std::uint64_t*>(slice.array->buffers[1]) + slice.offset,
          static_cast<std::size_t>(slice.length)};
}

}  // namespace penstock::tuple::keys
