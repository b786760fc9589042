#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace penstock::tuple {

// Arrow's bitmaps: bit 0 of byte 0 comes first.
[[nodiscard]] inline bool bit_at(const void* bits, std::int64_t at) noexcept {
  const auto place = static_cast<std::uint64_t>(at);
  const unsigned byte = static_cast<const std::uint8_t*>(bits)[place >> 3U];
  return ((byte >> (place & 7U)) & 1U) != 0;
}

// Whether one of the bytes is zero, at the speed of memory.
[[nodiscard]] inline bool any_zero(std::span<const std::uint8_t> bytes) noexcept {
  return !bytes.empty() && std::memchr(bytes.data(), 0, bytes.size()) != nullptr;
}

// Writes `count` bits, bit i of them `value(i)`, and fills the last byte with zeros.
// Returns how many are set.
template <typename Value>
std::int64_t write_bits(void* bits, std::int64_t count, Value value) {
  auto* byte = static_cast<std::uint8_t*>(bits);
  std::int64_t set = 0;
  for (std::int64_t first = 0; first < count; first += 8, ++byte) {
    const std::int64_t here = count - first < 8 ? count - first : 8;
    unsigned made = 0;
    for (std::int64_t at = 0; at < here; ++at) {
      const unsigned one = value(first + at) ? 1U : 0U;
      made |= one << static_cast<unsigned>(at);
      set += one;
    }
    *byte = static_cast<std::uint8_t>(made);
  }
  return set;
}

}  // namespace penstock::tuple
