#include "penstock/ops/expression/bytes.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace penstock::ops::expression {
namespace {

std::vector<std::uint8_t> some_bits(std::int64_t count) {
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(count + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint8_t>(i * 73 + 41);
  return bits;
}

TEST(Bytes, bits_from_any_place_become_bytes_and_bits_again) {
  for (std::int64_t offset = 0; offset < 17; ++offset) {
    for (std::int64_t count = 0; count < 40; ++count) {
      // No byte behind the last bit may be read: a sanitizer would tell.
      const auto bits = some_bits(offset + count);
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
      spread_bits(bits.data(), offset, count, bytes.data());
      std::int64_t set = 0;
      for (std::int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(bytes[static_cast<std::size_t>(i)], tuple::bit_at(bits.data(), offset + i));
        set += bytes[static_cast<std::size_t>(i)];
      }
      std::vector<std::uint8_t> again(static_cast<std::size_t>(count + 7) / 8, 0xFF);
      EXPECT_EQ(gather_bits(bytes.data(), count, again.data()), set);
      for (std::int64_t i = 0; i < std::ssize(again) * 8; ++i) {
        const bool expected = i < count && bytes[static_cast<std::size_t>(i)] != 0;
        ASSERT_EQ(tuple::bit_at(again.data(), i), expected) << "the last byte ends with zeros";
      }
    }
  }
}

}  // namespace
}  // namespace penstock::ops::expression
