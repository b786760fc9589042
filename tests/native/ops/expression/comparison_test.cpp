#include "penstock/ops/expression/comparison.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "ops/expression/kernels.hpp"

namespace penstock::ops::expression {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Comparison, orders_values_as_their_type_does) {
  const std::vector<std::int8_t> left{-1, 0, 1, 5};
  const std::vector<std::int8_t> right{1, 0, -1, 5};
  const auto compared = [&](const char* word) {
    return run<std::uint8_t>(comparison(word, Type::kInt8), {vec(left), vec(right)}, 4).values;
  };
  EXPECT_EQ(compared("equal"), (Bytes{0, 1, 0, 1}));
  EXPECT_EQ(compared("not_equal"), (Bytes{1, 0, 1, 0}));
  EXPECT_EQ(compared("less"), (Bytes{1, 0, 0, 0}));
  EXPECT_EQ(compared("less_equal"), (Bytes{1, 1, 0, 1}));
  EXPECT_EQ(compared("greater"), (Bytes{0, 0, 1, 0}));
  EXPECT_EQ(compared("greater_equal"), (Bytes{0, 1, 1, 1}));
  const std::vector<std::uint8_t> big{255};
  const std::vector<std::uint8_t> small{1};
  EXPECT_EQ(run<std::uint8_t>(comparison("less", Type::kUInt8), {vec(big), vec(small)}, 1).values,
            Bytes{0});
}

TEST(Comparison, nan_is_equal_to_nothing) {
  const std::vector<double> given{std::numeric_limits<double>::quiet_NaN(), 1.0};
  const auto compared = [&](const char* word) {
    return run<std::uint8_t>(comparison(word, Type::kFloat64), {vec(given), vec(given)}, 2).values;
  };
  EXPECT_EQ(compared("equal"), (Bytes{0, 1}));
  EXPECT_EQ(compared("not_equal"), (Bytes{1, 0}));
  EXPECT_EQ(compared("greater_equal"), (Bytes{0, 1}));
  EXPECT_EQ(compared("is_nan"), (Bytes{1, 0}));
}

TEST(Comparison, does_not_know_other_words) { EXPECT_FALSE(comparison("like", Type::kInt8)); }

}  // namespace
}  // namespace penstock::ops::expression
