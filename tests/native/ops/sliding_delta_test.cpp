#include "penstock/ops/sliding_delta.hpp"

#include <gtest/gtest.h>

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::SlidingDelta;
using support::Gathered;
using support::WholeRows;

const ops::WindowOptions kOptions{
    .keyed = {.keys = {0}},
    .shown = {0},
    .aggregates = {{Function::kCount, Aggregate::kRows}, {Function::kSum, 2}},
    .flush = true,
    .on = 1,
    .size = 10,
    .every = 4};

TEST(SlidingDelta, closes_before_a_row_beyond_and_holds_what_is_near_the_newest) {
  auto windows = support::make_windows<SlidingDelta>(kOptions);
  Gathered out(support::made_types(kOptions));
  support::process(windows, {{1, 0, 1}, {1, 4, 2}, {1, 5, 3}, {1, 11, {}}, {1, 12, 5}}, out);
  EXPECT_EQ(out.rows, (WholeRows{{1, 0, 4, 2, 3}, {1, 0, 5, 3, 6}}));
  EXPECT_EQ(out.from, (std::vector<std::int32_t>{2, 3}));
  windows.finish(out);
  EXPECT_EQ(out.rows.back(), (support::WholeRow{1, 4, 12, 4, 10})) << "0 is too far from 12";
}

TEST(SlidingDelta, a_row_that_left_does_not_come_back) {
  EXPECT_EQ(support::run<SlidingDelta>(kOptions, {{1, 0, 1}, {1, 20, 2}, {1, 10, 4}}, 3),
            (WholeRows{{1, 0, 0, 1, 1}, {1, 20, 20, 1, 2}, {1, 20, 10, 2, 6}}));
}

TEST(SlidingDelta, goes_on_where_it_was_saved) {
  WholeRows rows;
  for (std::int64_t n = 0; n < 60; ++n) rows.push_back({n % 3, n * n % 41, n});
  const auto whole = support::run<SlidingDelta>(kOptions, rows, 100);
  EXPECT_GT(whole.size(), 20U);
  for (const std::size_t each : {1U, 2U, 7U}) {
    EXPECT_EQ(support::run<SlidingDelta>(kOptions, rows, each), whole);
  }
}

}  // namespace
}  // namespace penstock
