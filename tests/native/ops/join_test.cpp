#include "penstock/ops/join.hpp"

#include <gtest/gtest.h>

#include "ops/int_rows.hpp"

namespace penstock {
namespace {

using ops::Join;
using support::IntRows;
using support::kNull;
constexpr std::size_t kColumns = 5;

// side, key, time, left value, right value
tuple::Schema given() { return support::int_columns({"side", "k", "ts", "l", "r"}); }
tuple::Schema made() { return support::int_columns({"k", "l", "r"}); }

Join join(std::optional<Join::Span> span, Join::Unmatched unmatched, std::size_t most_bytes = 0) {
  return {given(), made(),    {.keys = {1}, .left = {1, 3}, .right = {4}, .time = 2},
          span,    unmatched, {.keys = {1}, .most_bytes = most_bytes}};
}

IntRows run(Join& body, const IntRows& rows, bool to_the_end = true) {
  support::IntRowsOutput output;
  body.process(support::int_rows(rows, kColumns), 0, output);
  if (to_the_end) body.finish(output);
  return output.rows;
}

TEST(Join, lets_each_row_meet_those_of_the_other_side_before_it) {
  auto body = join({}, Join::Unmatched::kDropped);
  EXPECT_EQ(run(body, {{0, 7, 1, 10, 0}, {1, 7, 2, 0, 20}, {1, 8, 3, 0, 21}, {0, 7, 4, 11, 0}}),
            (IntRows{{7, 10, 20}, {7, 11, 20}}));
}

TEST(Join, gives_left_rows_without_a_match_at_the_end_once) {
  auto body = join({}, Join::Unmatched::kLeftLeave);
  EXPECT_EQ(run(body, {{0, 9, 1, 10, 0}, {0, 7, 1, 11, 0}, {1, 8, 1, 0, 20}}),
            (IntRows{{7, 11, kNull}, {9, 10, kNull}}));
  EXPECT_EQ(run(body, {}), IntRows{});
}

TEST(Join, forgets_rows_that_are_too_old_and_meets_late_ones_in_the_order_of_time) {
  auto body = join(Join::Span{.within = 5}, Join::Unmatched::kLeftLeave);
  EXPECT_EQ(
      run(body, {{0, 7, 10, 1, 0}, {0, 7, 8, 2, 0}, {1, 7, 12, 0, 3}, {1, 7, 15, 0, 4}}, false),
      (IntRows{{7, 2, 3}, {7, 1, 3}, {7, 1, 4}}));
  // 18 pushes out what is before 13: 12 comes too late to be kept, but not to meet 15.
  EXPECT_EQ(run(body, {{0, 7, 18, 5, 0}, {0, 7, 12, 6, 0}, {0, 7, 2, 7, 0}}, false),
            (IntRows{{7, 5, 4}, {7, 6, 4}, {7, 7, kNull}}));
  EXPECT_EQ(run(body, {{1, 7, 13, 0, 8}}), (IntRows{{7, 5, 8}}));
}

TEST(Join, keeps_times_at_the_edge_apart) {
  constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
  constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
  auto body = join(Join::Span{.within = kLast}, Join::Unmatched::kDropped);
  EXPECT_EQ(run(body, {{0, 7, kFirst, 1, 0}, {1, 7, kLast, 0, 2}, {0, 7, kLast, 3, 0}}),
            (IntRows{{7, 3, 2}}));
}

TEST(Join, goes_on_where_a_snapshot_was_taken) {
  auto before = join(Join::Span{.within = 5}, Join::Unmatched::kLeftLeave);
  run(before, {{0, 7, 1, 10, 0}, {0, 8, 1, 11, 0}, {1, 8, 2, 0, 20}}, false);
  auto after = join(Join::Span{.within = 5}, Join::Unmatched::kLeftLeave);
  after.collect(before.snapshot());
  EXPECT_EQ(run(after, {{1, 7, 3, 0, 21}, {0, 8, 3, 12, 0}, {1, 8, 9, 0, 22}}),
            (IntRows{{7, 10, 21}, {8, 12, 20}}));
}

TEST(Join, counts_the_memory_of_what_it_remembers_and_no_longer_remembers) {
  IntRows rows;
  for (std::int64_t at = 0; at < 2000; ++at) rows.push_back({0, 7, at, at, 0});
  auto unbounded = join({}, Join::Unmatched::kDropped, 20'000);
  EXPECT_THROW(run(unbounded, rows), std::length_error);
  auto bounded = join(Join::Span{.within = 5}, Join::Unmatched::kDropped, 20'000);
  EXPECT_EQ(run(bounded, rows), IntRows{});
}

}  // namespace
}  // namespace penstock
