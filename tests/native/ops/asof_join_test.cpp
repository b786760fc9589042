#include "penstock/ops/asof_join.hpp"

#include <gtest/gtest.h>

#include "penstock/graph/row_failure.hpp"

#include "ops/int_rows.hpp"

namespace penstock {
namespace {

using ops::AsofJoin;
using support::IntRows;
using support::kNull;
constexpr std::size_t kColumns = 5;

AsofJoin asof(std::optional<std::int64_t> tolerance) {
  return {support::int_columns({"side", "k", "ts", "l", "r"}),
          support::int_columns({"l", "r"}),
          {.keys = {1}, .left = {3}, .right = {4}, .time = 2},
          tolerance,
          {.keys = {1}}};
}

IntRows run(AsofJoin& body, const IntRows& rows) {
  support::IntRowsOutput output;
  body.process(support::int_rows(rows, kColumns), 0, output);
  return output.rows;
}

TEST(AsofJoin, adds_the_last_row_of_the_key_before) {
  auto body = asof({});
  EXPECT_EQ(run(body, {{0, 7, 1, 1, 0},
                       {1, 7, 2, 0, 2},
                       {1, 7, 2, 0, 3},
                       {1, 8, 3, 0, 4},
                       {0, 7, 9, 5, 0},
                       {0, 8, 3, 6, 0}}),
            (IntRows{{1, kNull}, {5, 3}, {6, 4}}));
}

TEST(AsofJoin, leaves_out_what_is_older_than_the_tolerance) {
  auto body = asof(3);
  EXPECT_EQ(run(body, {{1, 7, 1, 0, 2}, {0, 7, 4, 1, 0}, {0, 7, 5, 2, 0}}),
            (IntRows{{1, 2}, {2, kNull}}));
}

TEST(AsofJoin, fails_at_the_row_whose_time_descends) {
  auto body = asof({});
  try {
    run(body, {{1, 7, 5, 0, 2}, {0, 8, 1, 1, 0}, {0, 7, 4, 2, 0}});
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
  }
}

TEST(AsofJoin, goes_on_where_a_snapshot_was_taken) {
  auto before = asof(3);
  run(before, {{1, 7, 5, 0, 2}, {0, 8, 6, 1, 0}});
  auto after = asof(3);
  after.collect(before.snapshot());
  EXPECT_EQ(run(after, {{0, 7, 8, 3, 0}, {0, 8, 6, 4, 0}}), (IntRows{{3, 2}, {4, kNull}}));
  EXPECT_THROW(run(after, {{0, 8, 5, 3, 0}}), graph::FailedAtRow);
}

}  // namespace
}  // namespace penstock
