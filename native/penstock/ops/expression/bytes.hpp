#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "penstock/tuple/bits.hpp"

// Between Arrow's bitmaps and a byte for each row, eight rows at a time.
namespace penstock::ops::expression {

static_assert(std::endian::native == std::endian::little, "bit 0 becomes the first byte of a word");

// Writes `count` bytes, 0 or 1, for the bits from `offset` on.
inline void spread_bits(const void* bits, std::int64_t offset, std::int64_t count,
                        std::uint8_t* out) noexcept {
  const auto* bytes = static_cast<const std::uint8_t*>(bits);
  const auto from = static_cast<std::uint64_t>(offset);
  const auto shift = static_cast<unsigned>(from & 7U);
  std::int64_t row = 0;
  for (; row + 8 <= count; row += 8) {
    // The second byte is the first one where no bit of it is needed: it might not exist.
    const std::uint64_t here = from + static_cast<std::uint64_t>(row);
    const unsigned low = bytes[here >> 3U];
    const unsigned high = bytes[(here + 7) >> 3U];
    const std::uint64_t eight = ((low | (high << 8U)) >> shift) & 0xFFU;
    // Eight copies, of which each keeps its own bit, which then moves to the lowest place.
    const std::uint64_t own = (eight * 0x0101010101010101U) & 0x8040201008040201U;
    const std::uint64_t made = ((own + 0x7F7F7F7F7F7F7F7FU) >> 7U) & 0x0101010101010101U;
    std::memcpy(out + row, &made, sizeof(made));
  }
  for (; row < count; ++row) out[row] = tuple::bit_at(bits, offset + row) ? 1 : 0;
}

// The other way: `count` bytes become bits, the last byte filled with zeros. Returns how many are
// set.
inline std::int64_t gather_bits(const std::uint8_t* bytes, std::int64_t count, void* out) noexcept {
  auto* byte = static_cast<std::uint8_t*>(out);
  std::int64_t set = 0;
  std::int64_t row = 0;
  for (; row + 8 <= count; row += 8, ++byte) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes + row, sizeof(eight));
    *byte = static_cast<std::uint8_t>((eight * 0x0102040810204080U) >> 56U);
    set += std::popcount(*byte);
  }
  return set + tuple::write_bits(byte, count - row, [&](std::int64_t i) { return bytes[row + i]; });
}

}  // namespace penstock::ops::expression
