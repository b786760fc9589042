#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "bench/ordered/keys.hpp"

namespace penstock::bench::ordered {
namespace {

constexpr std::size_t kDrawn = 100'000;

std::vector<double> shares(const KeyChoice& choice, std::size_t partitions) {
  std::vector<double> found(partitions);
  for (const auto key : draw_keys(choice, kDrawn)) {
    found[partition_of(key, choice, partitions)] += 1.0 / kDrawn;
  }
  return found;
}

TEST(OrderedKeys, every_key_is_one_of_those_asked_for) {
  for (const auto spread : {Spread::kUniform, Spread::kZipf, Spread::kGaussian}) {
    for (const std::uint32_t keys : {1U, 7U, 1'000U}) {
      const auto drawn = draw_keys({.spread = spread, .keys = keys}, 5'000);
      EXPECT_LT(*std::ranges::max_element(drawn), keys);
    }
  }
}

TEST(OrderedKeys, the_same_keys_are_drawn_every_time) {
  const KeyChoice choice{.spread = Spread::kZipf};
  EXPECT_EQ(draw_keys(choice, 100), draw_keys(choice, 100));
}

TEST(OrderedKeys, uniform_keys_fall_evenly_on_a_hundred_partitions) {
  const auto found = shares({.spread = Spread::kUniform, .keys = 100'000}, 100);
  EXPECT_GT(*std::ranges::min_element(found), 0.007);
  EXPECT_LT(*std::ranges::max_element(found), 0.013);
}

TEST(OrderedKeys, the_most_frequent_zipf_key_has_its_share) {
  const auto drawn = draw_keys({.spread = Spread::kZipf, .keys = 1'000}, kDrawn);
  // One over the sum of k^-1.2 for k from 1 to 1,000.
  EXPECT_NEAR(static_cast<double>(std::ranges::count(drawn, 0U)) / kDrawn, 0.2308, 0.005);
}

TEST(OrderedKeys, a_shifted_gaussian_falls_on_one_of_two_workers) {
  EXPECT_GT(shares({.spread = Spread::kGaussian, .mean = 0.5, .sigma = 0.2}, 2)[1], 0.98);
}

TEST(OrderedKeys, a_wide_gaussian_is_nearly_even) {
  EXPECT_NEAR(shares({.spread = Spread::kGaussian, .mean = 0.5, .sigma = 4}, 2)[1], 0.5, 0.03);
}

TEST(OrderedKeys, gaussian_keys_are_partitioned_by_range) {
  const KeyChoice choice{.spread = Spread::kGaussian, .keys = 100};
  EXPECT_EQ(partition_of(0, choice, 4), 0U);
  EXPECT_EQ(partition_of(24, choice, 4), 0U);
  EXPECT_EQ(partition_of(25, choice, 4), 1U);
  EXPECT_EQ(partition_of(99, choice, 4), 3U);
}

}  // namespace
}  // namespace penstock::bench::ordered
