#include "penstock/ops/expression/filter_rows.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "ops/expression/programs.hpp"

namespace penstock::ops::expression {
namespace {

const std::vector<ColumnType> kColumns{{.format = "l", .name = "n"}, {.format = "u", .name = "s"}};

// n is the row's number, or null in every fifth row.
tuple::Batch numbered(std::int64_t rows, std::int64_t hidden = 0) {
  Values numbers;
  Values texts;
  for (std::int64_t i = 0; i < rows; ++i) {
    numbers.push_back(i % 5 == 4 ? null_value() : number(i));
    texts.push_back(support::text(std::to_string(i)));
  }
  return support::make_batch(kColumns, {numbers, texts}, hidden);
}

FilterRows keep(const char* comparison, std::int64_t than) {
  return {support::make_schema(kColumns),
          {column("l", 0), literal("l", than), call(comparison, "b", {0, 1})},
          2};
}

TEST(FilterRows, keeps_the_rows_that_pass_and_tells_which) {
  FilterRows filter = keep("greater", 2);
  Collected output;
  EXPECT_FALSE(work(filter, numbered(8, 3), output));
  EXPECT_EQ(output.rows, (std::vector<std::int32_t>{3, 5, 6, 7})) << "null does not pass";
  const auto made = support::read_batch(kColumns, output.made.at(0));
  EXPECT_EQ(made[1], (Values{support::text("3"), support::text("5"), support::text("6"),
                             support::text("7")}));
}

TEST(FilterRows, makes_nothing_where_no_row_passes) {
  FilterRows filter = keep("less", 0);
  Collected output;
  EXPECT_FALSE(work(filter, numbered(8), output));
  EXPECT_TRUE(output.made.empty());
  EXPECT_FALSE(work(filter, numbered(0), output));
  EXPECT_TRUE(output.made.empty());
}

TEST(FilterRows, copies_nothing_where_all_that_pass_follow_each_other) {
  FilterRows filter{support::make_schema(kColumns), {literal("b", true)}, 0};
  Collected output;
  const auto batch = numbered(6);
  EXPECT_FALSE(work(filter, batch, output));
  EXPECT_EQ(output.made.at(0).rows(), 6);
  EXPECT_EQ(output.made.at(0).column(1).array->buffers[2], batch.column(1).array->buffers[2]);
}

TEST(FilterRows, works_through_tuples_of_many_blocks) {
  const std::int64_t rows = 2 * kBlockRows + 100;
  FilterRows filter = keep("greater_equal", kBlockRows - 2);
  Collected output;
  EXPECT_FALSE(work(filter, numbered(rows, 5), output));
  std::vector<std::int32_t> expected;
  for (std::int64_t i = kBlockRows - 2; i < rows; ++i) {
    if (i % 5 != 4) expected.push_back(static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(output.rows, expected);
}

TEST(FilterRows, gives_what_comes_before_a_row_that_fails) {
  const std::int64_t bad = kBlockRows + 7;  // neither it nor the row before is null
  const std::vector<Instruction> lines{column("l", 0),
                                       literal("l", bad),
                                       call("subtract_checked", "l", {0, 1}),
                                       call("divide", "l", {1, 2}),
                                       literal("l", std::int64_t{-2}),
                                       call("less", "b", {3, 4})};
  FilterRows filter{support::make_schema(kColumns), lines, 5};
  Collected output;
  const auto ended = work(filter, numbered(3 * kBlockRows), output);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->row, bad);
  EXPECT_EQ(ended->why, "divide by zero");
  ASSERT_FALSE(output.rows.empty());
  EXPECT_EQ(output.rows.back(), bad - 1);
}

TEST(FilterRows, needs_a_mask) {
  const auto schema = support::make_schema(kColumns);
  EXPECT_THROW(FilterRows(schema, {column("l", 0)}, 0), std::invalid_argument);
  EXPECT_THROW(FilterRows(schema, {}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace penstock::ops::expression
