#include "penstock/base/hash.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::base {
namespace {

// Golden vectors. They may never change: saved states and rows that are routed elsewhere are
// found by these numbers. The first of each published function are its authors' own.

TEST(Hash, integers_hash_as_they_always_did) {
  static_assert(hash64(0) == 0xE220A8397B1DCDAFU);
  static_assert(hash64(1) == 0x910A2DEC89025CC1U);
  static_assert(hash64(2) == 0x975835DE1C9756CEU);
  static_assert(hash64(1234567) == 0x599ED017FB08FC85U);
  static_assert(hash64(~std::uint64_t{0}) == 0xE4D971771B652C20U);
  static_assert(hash64(std::uint64_t{1} << 63U) == 0x481EC0A212A9F3DBU);
  EXPECT_EQ(hash64(std::uint64_t{1234567}), 6457827717110365317U);
}

TEST(Hash, bytes_hash_as_they_always_did) {
  constexpr std::string_view kText = "The quick brown fox jumps over the lazy dog";
  struct Golden {
    std::size_t size;
    Hash128 hash;
  };
  const std::vector<Golden> vectors{
      {43, {0xE34BBC7BBC071B6CU, 0x7A433CA9C49A9347U}},
      {0, {0, 0}},
      {1, {0x8C03777E9184689AU, 0x3AB5D6B4BA293E79U}},
      {7, {0xF0D3843A5ABCD5C9U, 0x9394B7F9C86D6073U}},
      {8, {0x644BAAE4AD5B71CDU, 0x8EEEF997E2881CDFU}},
      {9, {0x37A06404B2A8F155U, 0xADBCC8FF3D6ECCC0U}},
      {15, {0x48137CB864E39216U, 0xFD7BAF64397AD64BU}},
      {16, {0x9D1244F4AF9B32C4U, 0x3D153C8B2C2A3AA6U}},
      {17, {0x91F96376E757E9AEU, 0x9B44E58DAE83EB0CU}},
      {24, {0x71264EEE42007CE5U, 0x32A8E9F120366D2BU}},
      {31, {0x9B28B5DDD9C4C509U, 0x0D3C1CB80FE2F964U}},
      {32, {0xDF6AF91BB29BDACFU, 0x91A341C58DF1F3A6U}},
      {33, {0x68D135CDAB7BB3DDU, 0xE617F8470728BB01U}},
  };
  for (const auto& [size, hash] : vectors) {
    EXPECT_EQ(hash128(kText.data(), size), hash) << size;
    EXPECT_EQ(hash64(kText.data(), size), hash.high) << size;
  }
  EXPECT_EQ(hash128(kText.data(), kText.size(), 7),
            (Hash128{0x3F2B223612D89084U, 0x92B61D20FB952CBEU}));
}

TEST(Hash, composite_keys_hash_as_they_always_did) {
  static_assert(combine(1, 2) == 0x166F8124D4DFC80BU);
  static_assert(combine(2, 1) == 0x83C688B574D03AF2U);
}

TEST(Hash, does_not_depend_on_where_the_bytes_lie) {
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (std::size_t shift = 1; shift < 16; ++shift) {
    const std::string moved = std::string(shift, '#') + text + "#";
    EXPECT_EQ(hash64(moved.data() + shift, text.size()), hash64(text.data(), text.size()));
  }
}

TEST(Hash, every_byte_and_the_length_count) {
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size < 40; ++size) {
    std::string bytes(size, '\0');
    EXPECT_TRUE(seen.insert(hash64(bytes.data(), size)).second) << size << " zeros";
    for (auto& byte : bytes) {
      byte = 'x';
      EXPECT_TRUE(seen.insert(hash64(bytes.data(), size)).second) << bytes;
      byte = '\0';
    }
  }
}

TEST(Hash, a_flipped_bit_of_an_integer_flips_half_of_the_hash) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t value = 0; value < 256; ++value) {
      flipped += std::popcount(hash64(value) ^ hash64(value ^ (std::uint64_t{1} << bit)));
    }
    EXPECT_NEAR(flipped / 256.0, 32, 2) << bit;
  }
}

}  // namespace
}  // namespace penstock::base
