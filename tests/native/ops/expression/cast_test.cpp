#include "penstock/ops/expression/cast.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "ops/expression/kernels.hpp"

namespace penstock::ops::expression {
namespace {

template <typename To, typename From>
std::string problem(Type from, Type to, From value) {
  const auto ran = run<To>(cast(from, to), {vec(std::vector<From>{value})}, 1);
  return ran.problem ? ran.problem->why : "";
}

TEST(Cast, keeps_whole_numbers_that_fit) {
  for (int value = -32768; value <= 32767; ++value) {
    const auto given = static_cast<std::int16_t>(value);
    const std::vector one{given};
    const auto narrow = run<std::int8_t>(cast(Type::kInt16, Type::kInt8), {vec(one)}, 1);
    const auto natural = run<std::uint16_t>(cast(Type::kInt16, Type::kUInt16), {vec(one)}, 1);
    ASSERT_EQ(narrow.problem.has_value(), value < -128 || value > 127) << value;
    ASSERT_EQ(natural.problem.has_value(), value < 0) << value;
    ASSERT_TRUE(narrow.problem || narrow.values[0] == value);
    ASSERT_TRUE(natural.problem || natural.values[0] == value);
  }
  EXPECT_EQ((problem<std::int8_t, std::int16_t>(Type::kInt16, Type::kInt8, 200)),
            "Integer value 200 not in range: -128 to 127");
}

TEST(Cast, refuses_whole_numbers_that_a_fraction_cannot_hold_exactly) {
  const std::int64_t most = std::int64_t{1} << 53;
  EXPECT_EQ((problem<double>(Type::kInt64, Type::kFloat64, most)), "");
  EXPECT_EQ((problem<double>(Type::kInt64, Type::kFloat64, -most)), "");
  EXPECT_NE((problem<double>(Type::kInt64, Type::kFloat64, most + 1)), "");
  EXPECT_NE((problem<double>(Type::kInt64, Type::kFloat64, -most - 1)), "");
  EXPECT_EQ((problem<float, std::int32_t>(Type::kInt32, Type::kFloat32, 1 << 24)), "");
  EXPECT_EQ((problem<float, std::int32_t>(Type::kInt32, Type::kFloat32, (1 << 24) + 1)),
            "Integer value 16777217 not in range: -16777216 to 16777216");
}

TEST(Cast, refuses_fractions_that_are_not_whole_or_too_big) {
  EXPECT_EQ((problem<std::int64_t>(Type::kFloat64, Type::kInt64, -3.0)), "");
  EXPECT_NE((problem<std::int64_t>(Type::kFloat64, Type::kInt64, 3.5)), "");
  EXPECT_EQ((problem<std::int64_t>(Type::kFloat64, Type::kInt64, -9223372036854775808.0)), "");
  EXPECT_NE((problem<std::int64_t>(Type::kFloat64, Type::kInt64, 9223372036854775808.0)), "");
  EXPECT_NE((problem<std::uint8_t>(Type::kFloat64, Type::kUInt8, -1.0)), "");
  EXPECT_NE((problem<std::uint8_t>(Type::kFloat64, Type::kUInt8, 256.0)), "");
  EXPECT_EQ((problem<std::uint8_t>(Type::kFloat64, Type::kUInt8, 255.0)), "");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE((problem<std::int32_t>(Type::kFloat32, Type::kInt32, nan)), "");
}

TEST(Cast, does_not_know_booleans) {
  EXPECT_FALSE(cast(Type::kBool, Type::kInt8));
  EXPECT_FALSE(cast(Type::kInt8, Type::kBool));
}

}  // namespace
}  // namespace penstock::ops::expression
