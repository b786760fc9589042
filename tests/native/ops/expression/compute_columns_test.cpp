#include "penstock/ops/expression/compute_columns.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "ops/expression/programs.hpp"

namespace penstock::ops::expression {
namespace {

const std::vector<ColumnType> kColumns{{.format = "l", .name = "n"}, {.format = "u", .name = "s"}};
const std::vector<Instruction> kLines{column("l", 0), literal("l", std::int64_t{100}),
                                      call("multiply_checked", "l", {0, 1}),
                                      call("greater", "b", {0, 1})};
const std::vector<ColumnType> kMade{{.format = "u"}, {.format = "l"}, {.format = "b"}};

tuple::Batch batch_of(const std::vector<std::int64_t>& values, std::int64_t hidden = 0) {
  Values numbers;
  Values texts;
  for (const auto value : values) {
    numbers.push_back(value < 0 ? null_value() : number(value));
    texts.push_back(support::text(std::to_string(value)));
  }
  return support::make_batch(kColumns, {numbers, texts}, hidden);
}

ComputeColumns computing() {
  return {support::make_schema(kColumns),
          kLines,
          {{.computed = false, .from = 1},
           {.computed = true, .from = 2},
           {.computed = true, .from = 3}}};
}

TEST(ComputeColumns, puts_computed_columns_beside_those_that_are_there) {
  ComputeColumns compute = computing();
  Collected output;
  const auto batch = batch_of({7, 200, -1}, 2);
  EXPECT_FALSE(work(compute, batch, output));
  const auto made = support::read_batch(kMade, output.made.at(0));
  EXPECT_EQ(made[0], (Values{support::text("7"), support::text("200"), support::text("-1")}));
  EXPECT_EQ(made[1],
            (Values{number(std::int64_t{700}), number(std::int64_t{20000}), null_value()}));
  EXPECT_EQ(made[2], (Values{number(std::uint8_t{0}), number(std::uint8_t{1}), null_value()}));
  EXPECT_EQ(output.made.at(0).column(0).array->buffers[2], batch.column(1).array->buffers[2]);
  EXPECT_EQ(output.made.at(0).column(1).array->null_count, 1);
}

TEST(ComputeColumns, has_no_validity_where_nothing_can_be_null) {
  ComputeColumns compute = computing();
  Collected output;
  EXPECT_FALSE(work(compute, batch_of({1, 2}), output));
  EXPECT_EQ(output.made.at(0).column(1).array->buffers[0], nullptr);
}

TEST(ComputeColumns, works_through_tuples_of_many_blocks) {
  std::vector<std::int64_t> given;
  for (std::int64_t i = 0; i < 2 * kBlockRows + 9; ++i) given.push_back(i % 7 == 3 ? -1 : i);
  ComputeColumns compute = computing();
  Collected output;
  EXPECT_FALSE(work(compute, batch_of(given, 3), output));
  const auto made = support::read_batch(kMade, output.made.at(0));
  ASSERT_EQ(made[1].size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    ASSERT_EQ(made[1][i], given[i] < 0 ? null_value() : number(given[i] * 100)) << i;
    ASSERT_EQ(made[2][i], given[i] < 0 ? null_value() : number(std::uint8_t{given[i] > 100})) << i;
  }
}

TEST(ComputeColumns, gives_what_comes_before_a_row_that_fails) {
  std::vector<std::int64_t> given(static_cast<std::size_t>(kBlockRows + 20), 3);
  given[static_cast<std::size_t>(kBlockRows + 5)] = std::int64_t{1} << 60;
  ComputeColumns compute = computing();
  Collected output;
  const auto ended = work(compute, batch_of(given), output);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->row, kBlockRows + 5);
  EXPECT_EQ(ended->why, "overflow");
  ASSERT_EQ(output.made.at(0).rows(), kBlockRows + 5);
  EXPECT_EQ(support::read_batch(kMade, output.made.at(0))[1].back(), number(std::int64_t{300}));

  Collected nothing;
  EXPECT_EQ(work(compute, batch_of({std::int64_t{1} << 60}), nothing)->row, 0);
  EXPECT_TRUE(nothing.made.empty());
}

TEST(ComputeColumns, names_what_does_not_exist) {
  const auto schema = support::make_schema(kColumns);
  EXPECT_THROW(ComputeColumns(schema, kLines, {{.computed = true, .from = 4}}),
               std::invalid_argument);
  EXPECT_THROW(ComputeColumns(schema, kLines, {{.computed = false, .from = 2}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace penstock::ops::expression
