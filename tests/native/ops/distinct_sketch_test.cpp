#include "penstock/ops/distinct_sketch.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "penstock/base/hash.hpp"

namespace penstock {
namespace {

using ops::DistinctSketch;

DistinctSketch of(std::uint64_t count, std::uint64_t seed = 0) {
  DistinctSketch sketch;
  for (std::uint64_t i = 0; i < count; ++i) sketch.add(base::hash64((seed << 40U) + i));
  return sketch;
}

TEST(DistinctSketch, counts_few_values_exactly_however_often_they_come) {
  DistinctSketch sketch;
  EXPECT_EQ(sketch.count(), 0);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = 0; i < 128; ++i) sketch.add(base::hash64(i));
  }
  EXPECT_EQ(sketch.count(), 128);
  EXPECT_LT(sketch.bytes(), 4096U);
}

TEST(DistinctSketch, errs_by_less_than_two_hundredths_on_average_at_any_number) {
  for (const std::uint64_t count : {129U, 500U, 2000U, 10'000U, 20'000U, 200'000U}) {
    double squares = 0;
    constexpr int kTries = 20;
    for (std::uint64_t seed = 1; seed <= kTries; ++seed) {
      const auto told = static_cast<double>(of(count, seed).count());
      const double error = (told - static_cast<double>(count)) / static_cast<double>(count);
      EXPECT_LT(std::abs(error), 0.07) << count << " told as " << told;
      squares += error * error;
    }
    EXPECT_LT(std::sqrt(squares / kTries), 0.022) << count;
  }
}

TEST(DistinctSketch, goes_on_where_another_left_off) {
  for (const std::uint64_t count : {0U, 1U, 128U, 129U, 5000U}) {
    DistinctSketch before = of(count);
    std::string saved;
    before.save(saved);
    DistinctSketch after = of(3);
    after.restore(saved);
    EXPECT_EQ(after.count(), before.count());
    for (std::uint64_t i = 0; i < 1000; ++i) {
      before.add(base::hash64(count / 2 + i));
      after.add(base::hash64(count / 2 + i));
      ASSERT_EQ(after.count(), before.count());
    }
  }
}

TEST(DistinctSketch, hashes_of_all_zeros_and_all_ones_are_values_like_others) {
  DistinctSketch sketch = of(1000);
  const auto before = sketch.count();
  sketch.add(0);
  sketch.add(~std::uint64_t{0});
  EXPECT_GE(sketch.count(), before);
  EXPECT_LE(sketch.count(), before + 10);
}

}  // namespace
}  // namespace penstock
