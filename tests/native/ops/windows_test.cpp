#include "penstock/ops/windows.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/delta_windows.hpp"
#include "penstock/ops/row_windows.hpp"
#include "penstock/ops/session_windows.hpp"
#include "penstock/region/hash_ring.hpp"

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using support::Gathered;
using support::WholeRows;

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

ops::WindowOptions pairs() {
  return {.keyed = {.keys = {0}},
          .shown = {0},
          .aggregates = {{Function::kSum, 1}, {Function::kSum, 2}},
          .flush = true,
          .size = 2,
          .every = 2};
}

TEST(Windows, the_first_row_that_fails_in_any_aggregate_is_told_and_what_is_before_it_leaves) {
  auto windows = support::make_windows<ops::RowWindows>(pairs());
  Gathered out(support::made_types(pairs()));
  const WholeRows rows{{1, 1, 1}, {1, 2, 2}, {1, 3, kMost}, {1, 3, 1}, {1, kMost, 3}, {1, 1, 3}};
  try {
    support::process(windows, rows, out);
    FAIL() << "the sums do not fit";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 3);
  }
  EXPECT_EQ(out.rows, (WholeRows{{1, 0, 2, 3, 3}}));
}

TEST(Windows, a_failure_in_kept_rows_is_told_of_the_row_that_closed_their_window) {
  auto options = pairs();
  options.on = 1;
  options.size = options.every = 5;
  options.watermark = 0;
  auto windows = support::make_windows<ops::SessionWindows>(options);
  Gathered out(support::made_types(options));
  try {
    support::process(windows, {{1, 1, kMost}, {1, 2, 2}, {1, 20, 1}}, out);
    FAIL() << "the sum does not fit";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
  }
}

TEST(Windows, a_failure_at_the_end_is_the_reason_itself) {
  auto options = pairs();
  options.on = 1;
  options.size = options.every = 5;
  auto windows = support::make_windows<ops::SessionWindows>(options);
  Gathered out(support::made_types(options));
  support::process(windows, {{1, 1, kMost}, {1, 2, 2}}, out);
  EXPECT_THROW(windows.finish(out), std::overflow_error);
}

TEST(Windows, without_keys_all_rows_are_together) {
  auto options = pairs();
  options.keyed.keys = options.shown = {};
  EXPECT_EQ(support::run<ops::RowWindows>(options, {{1, 1, 1}, {2, 2, 2}, {3, 3, {}}}, 1),
            (WholeRows{{0, 2, 3, 3}, {2, 3, 3, {}}}));
}

TEST(Windows, the_output_may_have_the_key_in_another_order) {
  auto options = pairs();
  options.keyed.keys = {0, 1};
  options.shown = {1, 0};
  options.aggregates = {{Function::kSum, 2}};
  EXPECT_EQ(support::run<ops::RowWindows>(options, {{1, 7, 1}, {1, 7, 2}}, 1),
            (WholeRows{{7, 1, 0, 2, 3}}));
}

TEST(Windows, what_is_open_counts_against_the_limit_and_goes_with_a_key_that_leaves) {
  auto options = pairs();
  options.on = 1;
  options.size = options.every = 5;
  options.keyed.bytes = std::make_shared<std::atomic<std::size_t>>(0);
  options.keyed.most_bytes = 4096;
  auto windows = support::make_windows<ops::SessionWindows>(options);
  Gathered out(support::made_types(options));
  support::process(windows, {{1, 1, 1}}, out);
  const auto one = options.keyed.bytes->load();
  support::process(windows, {{1, 1, 2}}, out);
  EXPECT_GT(options.keyed.bytes->load(), one);
  const auto packages = windows.donate(region::HashRing(7), 7);
  ASSERT_EQ(packages.size(), 1U);
  EXPECT_EQ(windows.keys(), 0U);
  EXPECT_LT(options.keyed.bytes->load(), one);
  EXPECT_THROW(support::process(windows, WholeRows(200, {1, 1, 1}), out), std::length_error);
}

}  // namespace
}  // namespace penstock
