#include "penstock/ops/expression/logic.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "ops/expression/kernels.hpp"

namespace penstock::ops::expression {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint8_t kNull = 2;  // in what is expected

// The nine pairs of false, true and null.
const Bytes kLeft{0, 0, 0, 1, 1, 1, 0, 1, 0};
const Bytes kHasLeft{1, 1, 1, 1, 1, 1, 0, 0, 0};
const Bytes kRight{0, 1, 1, 0, 1, 1, 0, 1, 1};
const Bytes kHasRight{1, 1, 0, 1, 1, 0, 1, 1, 0};

Bytes of_pairs(const char* word) {
  const auto ran = run<std::uint8_t>(logic(word, Type::kBool),
                                     {{.values = kLeft.data(), .valid = kHasLeft.data()},
                                      {.values = kRight.data(), .valid = kHasRight.data()}},
                                     kLeft.size());
  Bytes made;
  for (std::size_t i = 0; i < kLeft.size(); ++i) {
    made.push_back(ran.valid[i] == 0 ? kNull : ran.values[i]);
  }
  return made;
}

TEST(Logic, a_value_that_decides_outweighs_null) {
  EXPECT_EQ(of_pairs("and_kleene"), (Bytes{0, 0, 0, 0, 1, kNull, 0, kNull, kNull}));
  EXPECT_EQ(of_pairs("or_kleene"), (Bytes{0, 1, kNull, 1, 1, 1, kNull, 1, kNull}));
}

TEST(Logic, without_nulls_it_is_that_of_two_values) {
  const auto plain = [](const char* word) {
    return run<std::uint8_t>(logic(word, Type::kBool), {vec(kLeft), vec(kRight)}, 5);
  };
  EXPECT_EQ(plain("and_kleene").values, (Bytes{0, 0, 0, 0, 1}));
  EXPECT_EQ(plain("or_kleene").values, (Bytes{0, 1, 1, 1, 1}));
  EXPECT_EQ(plain("xor").values, (Bytes{0, 1, 1, 1, 0}));
  EXPECT_TRUE(plain("and_kleene").valid.empty());
  EXPECT_EQ(run<std::uint8_t>(logic("invert", Type::kBool), {vec(kLeft)}, 4).values,
            (Bytes{1, 1, 1, 0}));
}

TEST(Logic, asks_for_nulls_of_any_type) {
  const std::vector<double> given{1, 2};
  const Bytes has{0, 1};
  const Vec arg{.values = given.data(), .valid = has.data()};
  EXPECT_EQ(run<std::uint8_t>(logic("is_null", Type::kFloat64), {arg}, 2).values, (Bytes{1, 0}));
  EXPECT_EQ(run<std::uint8_t>(logic("is_valid", Type::kFloat64), {arg}, 2).values, (Bytes{0, 1}));
  EXPECT_EQ(run<std::uint8_t>(logic("is_null", Type::kFloat64), {vec(given)}, 2).values,
            (Bytes{0, 0}));
}

TEST(Logic, chooses_values_with_their_nulls) {
  const Bytes condition{1, 0, 1, 0};
  const Bytes known{1, 1, 0, 1};
  const std::vector<std::int32_t> then{1, 2, 3, 4};
  const std::vector<std::int32_t> otherwise{5, 6, 7, 8};
  const Bytes has{1, 1, 1, 0};
  const auto chosen = run<std::int32_t>(logic("if_else", Type::kInt32),
                                        {{.values = condition.data(), .valid = known.data()},
                                         vec(then),
                                         {.values = otherwise.data(), .valid = has.data()}},
                                        4);
  EXPECT_EQ(chosen.valid, (Bytes{1, 1, 0, 0}));
  EXPECT_EQ(chosen.values[0], 1);
  EXPECT_EQ(chosen.values[1], 6);
  EXPECT_TRUE(run<std::int32_t>(logic("if_else", Type::kInt32),
                                {vec(condition), vec(then), vec(otherwise)}, 4)
                  .valid.empty());
}

TEST(Logic, takes_the_first_value_that_is_there) {
  const std::vector<std::int32_t> first{1, 2, 3};
  const std::vector<std::int32_t> second{4, 5, 6};
  const Bytes has_first{1, 0, 0};
  const Bytes has_second{0, 1, 0};
  const Vec one{.values = first.data(), .valid = has_first.data()};
  const Vec two{.values = second.data(), .valid = has_second.data()};
  const auto both = run<std::int32_t>(logic("coalesce", Type::kInt32), {one, two}, 3);
  EXPECT_EQ(both.valid, (Bytes{1, 1, 0}));
  EXPECT_EQ(both.values[0], 1);
  EXPECT_EQ(both.values[1], 5);
  const auto never = run<std::int32_t>(logic("coalesce", Type::kInt32), {one, vec(second)}, 3);
  EXPECT_TRUE(never.valid.empty());
  EXPECT_EQ(never.values, (std::vector<std::int32_t>{1, 5, 6}));
}

TEST(Logic, does_not_know_other_words_or_the_logic_of_numbers) {
  EXPECT_FALSE(logic("implies", Type::kBool));
  EXPECT_FALSE(logic("invert", Type::kInt8));
}

}  // namespace
}  // namespace penstock::ops::expression
