#include "penstock/tuple/bits.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>

namespace penstock::tuple {
namespace {

TEST(Bits, come_from_the_low_end_of_each_byte) {
  const std::array<std::uint8_t, 2> bits{0b1000'0010, 0b0000'0001};
  for (const int at : {1, 7, 8}) EXPECT_TRUE(bit_at(bits.data(), at)) << at;
  for (const int at : {0, 2, 6, 9, 15}) EXPECT_FALSE(bit_at(bits.data(), at)) << at;
}

TEST(Bits, are_written_as_they_are_read_and_counted) {
  for (std::int64_t count = 0; count < 40; ++count) {
    std::array<std::uint8_t, 6> bits{};
    bits.fill(0xAA);
    const auto wanted = [](std::int64_t at) { return at % 3 == 0; };
    EXPECT_EQ(write_bits(bits.data(), count, wanted), (count + 2) / 3);
    for (std::int64_t at = 0; at < count; ++at) EXPECT_EQ(bit_at(bits.data(), at), wanted(at));
    const std::int64_t written = (count + 7) / 8;
    for (std::int64_t at = count; at < written * 8; ++at) EXPECT_FALSE(bit_at(bits.data(), at));
    EXPECT_EQ(bits.at(static_cast<std::size_t>(written)), 0xAA) << "nothing behind is touched";
  }
}

}  // namespace
}  // namespace penstock::tuple
