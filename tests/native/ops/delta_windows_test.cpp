#include "penstock/ops/delta_windows.hpp"

#include <bit>
#include <gtest/gtest.h>
#include <limits>

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::DeltaWindows;
using ops::Function;
using support::Gathered;
using support::WholeRows;

const ops::WindowOptions kWithin10{
    .keyed = {.keys = {0}},
    .shown = {0},
    .aggregates = {{Function::kCount, Aggregate::kRows}, {Function::kSum, 2}},
    .flush = true,
    .on = 1,
    .size = 10,
    .every = 10};

TEST(DeltaWindows, the_row_that_is_farther_off_begins_the_next_window) {
  auto windows = support::make_windows<DeltaWindows>(kWithin10);
  Gathered out(support::made_types(kWithin10));
  support::process(windows, {{1, 5, 1}, {1, 15, 2}, {1, 16, 3}, {1, 5, 4}}, out);
  EXPECT_EQ(out.rows, (WholeRows{{1, 5, 15, 2, 3}, {1, 16, 16, 1, 3}})) << "up or down";
  EXPECT_EQ(out.from, (std::vector<std::int32_t>{2, 3}));
  windows.finish(out);
  EXPECT_EQ(out.rows.back(), (support::WholeRow{1, 5, 5, 1, 4}));
}

TEST(DeltaWindows, goes_on_where_it_was_saved) {
  const WholeRows rows{{1, 5, 1}, {2, 0, 9}, {1, {}, 2}, {1, 12, {}}, {1, 30, 4}, {2, 11, 5}};
  const auto whole = support::run<DeltaWindows>(kWithin10, rows, 100);
  EXPECT_EQ(whole.size(), 4U);
  for (const std::size_t each : {1U, 2U, 4U}) {
    EXPECT_EQ(support::run<DeltaWindows>(kWithin10, rows, each), whole);
  }
}

TEST(DeltaWindows, distances_are_right_at_the_ends_of_what_there_is) {
  const auto least = std::numeric_limits<std::int64_t>::min();
  const auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(ops::is_farther(least, most, most, false));
  EXPECT_FALSE(ops::is_farther(-1, most - 1, most, false));
  const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(ops::is_farther(bits(infinity), bits(infinity), bits(1), true));
  EXPECT_TRUE(ops::is_farther(bits(-infinity), bits(infinity), bits(1), true));
  EXPECT_FALSE(ops::is_farther(bits(-0.5), bits(0.5), bits(1), true));
  EXPECT_TRUE(ops::is_farther(bits(-0.5), bits(0.75), bits(1), true));
}

}  // namespace
}  // namespace penstock
