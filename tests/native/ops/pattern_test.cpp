#include "penstock/ops/pattern.hpp"

#include <gtest/gtest.h>

#include "penstock/graph/row_failure.hpp"

#include "ops/int_rows.hpp"

namespace penstock {
namespace {

using ops::Pattern;
using ops::PatternStep;
using support::IntRow;
using support::IntRows;

// A key, a time, and two predicates.
struct Row {
  std::int64_t key = 0;
  std::int64_t time = 0;
  bool a = false;
  bool b = false;
};

tuple::Schema given() {
  return support::make_schema({{.format = "l", .name = "k"},
                               {.format = "l", .name = "ts"},
                               {.format = "b", .name = "a"},
                               {.format = "b", .name = "b"}});
}

// A twice or more, then b.
Pattern pattern(std::optional<std::int64_t> within) {
  return {given(),
          support::int_columns({"k", "first", "last", "rows"}),
          {.steps = {{.predicate = 0, .least = 2, .most = PatternStep::kAny}, {.predicate = 1}},
           .predicates = {2, 3},
           .time = 1,
           .within = within},
          {.keys = {0}}};
}

IntRows run(Pattern& body, const std::vector<Row>& rows) {
  const support::Type number{.format = "l"};
  const support::Type truth{.format = "b"};
  std::vector<support::Values> columns(4);
  for (const Row& row : rows) {
    columns[0].push_back(support::number(row.key));
    columns[1].push_back(support::number(row.time));
    columns[2].push_back(support::number(static_cast<char>(row.a)));
    columns[3].push_back(support::number(static_cast<char>(row.b)));
  }
  support::IntRowsOutput output;
  body.process(
      {.batch = support::make_batch({number, number, truth, truth}, columns), .origin = {}}, 0,
      output);
  return output.rows;
}

TEST(Pattern, finds_the_sequence_of_each_key_that_began_first) {
  auto body = pattern({});
  EXPECT_EQ(run(body, {{.key = 7, .time = 1, .a = true},
                       {.key = 8, .time = 1, .a = true},
                       {.key = 7, .time = 2, .a = true},
                       {.key = 7, .time = 3, .a = true},
                       {.key = 8, .time = 3, .b = true},
                       {.key = 7, .time = 4, .b = true},
                       {.key = 7, .time = 5, .b = true}}),
            (IntRows{{7, 1, 4, 4}}));
}

TEST(Pattern, forgets_beginnings_that_are_too_old_and_keeps_the_later_ones) {
  auto body = pattern(10);
  EXPECT_EQ(run(body, {{.time = 1, .a = true},
                       {.time = 5, .a = true},
                       {.time = 8, .a = true},
                       {.time = 15, .b = true}}),
            (IntRows{{0, 5, 15, 3}}));
  EXPECT_EQ(run(body, {{.time = 20, .a = true}, {.time = 21, .a = true}, {.time = 32, .b = true}}),
            IntRows{});
}

TEST(Pattern, fails_at_the_row_whose_time_descends) {
  auto body = pattern({});
  try {
    run(body, {{.time = 5}, {.time = 4}});
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 1);
  }
}

TEST(Pattern, goes_on_where_a_snapshot_was_taken) {
  auto before = pattern(10);
  EXPECT_EQ(run(before, {{.time = 1, .a = true}, {.time = 2}, {.time = 3, .a = true}}), IntRows{});
  auto after = pattern(10);
  after.collect(before.snapshot());
  EXPECT_EQ(run(after, {{.time = 4, .b = true}}), (IntRows{{0, 1, 4, 4}}));
}

}  // namespace
}  // namespace penstock
