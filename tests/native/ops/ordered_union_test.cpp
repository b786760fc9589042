#include "penstock/ops/ordered_union.hpp"

#include <gtest/gtest.h>

#include "penstock/graph/row_failure.hpp"

#include "ops/int_rows.hpp"

namespace penstock {
namespace {

using ops::OrderedUnion;
using support::IntRows;
constexpr std::size_t kColumns = 3;

OrderedUnion merged(int branches = 2) {
  return {support::int_columns({"branch", "ts", "v"}),
          support::int_columns({"ts", "v"}),
          branches,
          1,
          {}};
}

IntRows run(OrderedUnion& body, const IntRows& rows, bool to_the_end) {
  support::IntRowsOutput output;
  body.process(support::int_rows(rows, kColumns), 0, output);
  if (to_the_end) body.finish(output);
  return output.rows;
}

TEST(OrderedUnion, lets_a_row_wait_until_every_branch_has_shown_one_as_late) {
  auto body = merged();
  EXPECT_EQ(run(body, {{0, 3, 1}, {0, 5, 2}}, false), IntRows{});
  EXPECT_EQ(run(body, {{1, -4, 3}, {1, 4, 4}}, false), (IntRows{{-4, 3}, {3, 1}, {4, 4}}));
  EXPECT_EQ(run(body, {{1, 5, 5}}, false), (IntRows{{5, 2}, {5, 5}}));
  EXPECT_EQ(run(body, {{1, 9, 6}, {1, 9, 7}}, true), (IntRows{{9, 6}, {9, 7}}));
}

TEST(OrderedUnion, fails_at_the_row_where_a_branch_descends) {
  auto body = merged();
  try {
    run(body, {{0, 3, 1}, {1, 1, 2}, {0, 2, 3}}, false);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
  }
}

TEST(OrderedUnion, goes_on_where_a_snapshot_was_taken) {
  auto before = merged(3);
  EXPECT_EQ(run(before, {{0, 3, 1}, {1, 2, 2}, {0, 7, 3}}, false), IntRows{});
  auto after = merged(3);
  after.collect(before.snapshot());
  EXPECT_EQ(run(after, {{2, 2, 4}, {2, 3, 5}, {1, 8, 6}}, false),
            (IntRows{{2, 2}, {2, 4}, {3, 1}, {3, 5}}));
  EXPECT_THROW(run(after, {{0, 6, 7}}, false), graph::FailedAtRow);
}

}  // namespace
}  // namespace penstock
