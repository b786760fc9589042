#include "penstock/ops/expression/arithmetic.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "ops/expression/kernels.hpp"

namespace penstock::ops::expression {
namespace {

// All pairs of values of a type of 8 bits, against arithmetic that has room for any result.
template <typename Value>
void check_all_pairs(const std::string& word, Type type,
                     const std::function<int(int, int)>& exact) {
  using Limits = std::numeric_limits<Value>;
  for (int left = Limits::min(); left <= Limits::max(); ++left) {
    for (int right = Limits::min(); right <= Limits::max(); ++right) {
      if (word == "divide" && right == 0) continue;
      const std::vector lefts{static_cast<Value>(left)};
      const std::vector rights{static_cast<Value>(right)};
      const int expected = exact(left, right);
      const bool fits = expected >= Limits::min() && expected <= Limits::max();
      const auto wrapped = run<Value>(arithmetic(word, type), {vec(lefts), vec(rights)}, 1);
      const auto checked =
          run<Value>(arithmetic(word + "_checked", type), {vec(lefts), vec(rights)}, 1);
      ASSERT_FALSE(wrapped.problem);
      ASSERT_EQ(checked.problem.has_value(), !fits) << word << ' ' << left << ' ' << right;
      if (fits) {
        ASSERT_EQ(wrapped.values[0], expected);
        ASSERT_EQ(checked.values[0], expected);
      } else if (word != "divide") {
        ASSERT_EQ(wrapped.values[0], static_cast<Value>(expected));
        ASSERT_EQ(checked.problem->why, "overflow");
      }
    }
  }
}

TEST(Arithmetic, fits_exactly_or_wraps_or_fails) {
  check_all_pairs<std::int8_t>("add", Type::kInt8, std::plus<>());
  check_all_pairs<std::uint8_t>("add", Type::kUInt8, std::plus<>());
  check_all_pairs<std::int8_t>("subtract", Type::kInt8, std::minus<>());
  check_all_pairs<std::uint8_t>("subtract", Type::kUInt8, std::minus<>());
  check_all_pairs<std::int8_t>("multiply", Type::kInt8, std::multiplies<>());
  check_all_pairs<std::uint8_t>("multiply", Type::kUInt8, std::multiplies<>());
  check_all_pairs<std::int8_t>("divide", Type::kInt8, std::divides<>());
  check_all_pairs<std::uint8_t>("divide", Type::kUInt8, std::divides<>());
}

TEST(Arithmetic, sees_the_overflow_of_the_widest_types) {
  using Signed = std::numeric_limits<std::int64_t>;
  using Unsigned = std::numeric_limits<std::uint64_t>;
  const std::vector<std::int64_t> ends{Signed::max(), Signed::min(), 1};
  const std::vector<std::int64_t> two{0, 0, 2};
  const auto product =
      run<std::int64_t>(arithmetic("multiply_checked", Type::kInt64), {vec(ends), vec(two)}, 3);
  EXPECT_FALSE(product.problem);
  EXPECT_EQ(product.values[2], 2);
  const std::vector<std::int64_t> twice{1, 2, 2};
  EXPECT_EQ(
      run<std::int64_t>(arithmetic("multiply_checked", Type::kInt64), {vec(ends), vec(twice)}, 3)
          .problem->row,
      1);
  const std::vector<std::uint64_t> most{5, Unsigned::max()};
  const std::vector<std::uint64_t> one{1, 1};
  EXPECT_EQ(run<std::uint64_t>(arithmetic("add_checked", Type::kUInt64), {vec(most), vec(one)}, 2)
                .problem->row,
            1);
}

TEST(Arithmetic, tells_whole_numbers_from_fractions_when_dividing_by_zero) {
  const std::vector<std::int32_t> whole{7, 7};
  const std::vector<std::int32_t> by{2, 0};
  for (const auto* word : {"divide", "divide_checked"}) {
    const auto ran = run<std::int32_t>(arithmetic(word, Type::kInt32), {vec(whole), vec(by)}, 2);
    ASSERT_TRUE(ran.problem);
    EXPECT_EQ(ran.problem->row, 1);
    EXPECT_EQ(ran.problem->why, "divide by zero");
    EXPECT_EQ(ran.values[0], 3);
  }
  const std::vector<double> fractions{7, 0};
  const std::vector<double> zeros{0, 0};
  const auto divided =
      run<double>(arithmetic("divide", Type::kFloat64), {vec(fractions), vec(zeros)}, 2);
  EXPECT_FALSE(divided.problem);
  EXPECT_TRUE(std::isinf(divided.values[0]));
  EXPECT_TRUE(std::isnan(divided.values[1]));
  EXPECT_EQ(
      run<double>(arithmetic("divide_checked", Type::kFloat64), {vec(fractions), vec(zeros)}, 2)
          .problem->why,
      "divide by zero");
}

TEST(Arithmetic, negates_what_has_a_negative) {
  const std::vector<std::int8_t> given{-128, 5, -5};
  const auto negated = run<std::int8_t>(arithmetic("negate", Type::kInt8), {vec(given)}, 3);
  EXPECT_EQ(negated.values, (std::vector<std::int8_t>{-128, -5, 5}));
  const auto absolute = run<std::int8_t>(arithmetic("abs", Type::kInt8), {vec(given)}, 3);
  EXPECT_EQ(absolute.values, (std::vector<std::int8_t>{-128, 5, 5}));
  for (const auto* word : {"negate_checked", "abs_checked"}) {
    EXPECT_EQ(run<std::int8_t>(arithmetic(word, Type::kInt8), {vec(given)}, 3).problem->row, 0);
  }
  EXPECT_FALSE(arithmetic("negate", Type::kUInt8));
}

TEST(Arithmetic, does_not_know_other_words) {
  EXPECT_FALSE(arithmetic("power", Type::kInt8));
  EXPECT_FALSE(arithmetic("add", Type::kBool));
}

}  // namespace
}  // namespace penstock::ops::expression
