#include "penstock/ops/time_windows.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>

#include "penstock/graph/row_failure.hpp"

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::TimeWindows;
using support::Gathered;
using support::WholeRows;

ops::WindowOptions options(std::int64_t size, std::int64_t every,
                           std::optional<std::int64_t> watermark, bool flush = false) {
  return {.keyed = {.keys = {0}},
          .shown = {0},
          .aggregates = {{Function::kCount, Aggregate::kRows}, {Function::kMax, 2}},
          .flush = flush,
          .on = 1,
          .size = size,
          .every = every,
          .watermark = watermark};
}

TEST(TimeWindows, a_window_leaves_because_of_the_row_that_moves_the_watermark_to_its_end) {
  const auto tumbling = options(10, 10, 3);
  auto windows = support::make_windows<TimeWindows>(tumbling);
  Gathered out(support::made_types(tumbling));
  support::process(windows, {{1, 5, 1}, {1, 12, 2}, {1, 9, 7}, {1, 13, 3}, {1, 9, 9}}, out);
  EXPECT_EQ(out.rows, (WholeRows{{1, 0, 10, 2, 7}})) << "and a row behind it is late";
  EXPECT_EQ(out.from, std::vector<std::int32_t>{3});
}

TEST(TimeWindows, a_row_is_in_every_window_around_it_also_before_1970) {
  const WholeRows rows{{1, -1, 1}, {1, 4, 2}};
  EXPECT_EQ(support::run<TimeWindows>(options(10, 5, {}, true), rows, 1),
            (WholeRows{{1, -10, 0, 1, 1}, {1, -5, 5, 2, 2}, {1, 0, 10, 1, 2}}));
}

TEST(TimeWindows, a_late_row_still_goes_to_its_windows_that_are_open) {
  // The watermark is 10: [0, 10) has closed, [5, 15) has not.
  const WholeRows rows{{1, 1, 1}, {1, 10, 2}, {1, 7, 3}};
  EXPECT_EQ(support::run<TimeWindows>(options(10, 5, 0, true), rows, 1),
            (WholeRows{{1, -5, 5, 1, 1}, {1, 0, 10, 1, 1}, {1, 5, 15, 2, 3}, {1, 10, 20, 1, 2}}));
}

TEST(TimeWindows, begin_behind_an_offset) {
  auto shifted = options(10, 10, {}, true);
  shifted.offset = 3;
  EXPECT_EQ(support::run<TimeWindows>(shifted, {{1, 2, 1}, {1, 3, 2}}, 2),
            (WholeRows{{1, -7, 3, 1, 1}, {1, 3, 13, 1, 2}}));
}

TEST(TimeWindows, every_key_has_its_own_watermark) {
  EXPECT_EQ(
      support::run<TimeWindows>(options(10, 10, 0, true), {{1, 5, 1}, {2, 100, 2}, {1, 6, 3}}, 3),
      (WholeRows{{1, 0, 10, 2, 3}, {2, 100, 110, 1, 2}}));
}

std::string reason_of(const ops::WindowOptions& with, const WholeRows& rows, std::int64_t row) {
  auto windows = support::make_windows<TimeWindows>(with);
  Gathered out(support::made_types(with));
  try {
    support::process(windows, rows, out);
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), row);
    try {
      std::rethrow_exception(failed.cause());
    } catch (const std::exception& cause) {
      return cause.what();
    }
  }
  return "";
}

TEST(TimeWindows, a_late_row_can_be_a_failure) {
  auto strict = options(10, 10, 0);
  strict.late_fails = true;
  const auto reason = reason_of(strict, {{1, 5, 1}, {1, 10, 1}, {1, 9, 1}}, 2);
  EXPECT_NE(reason.find("late: column 'place'"), std::string::npos) << reason;
}

TEST(TimeWindows, a_time_without_room_for_a_window_is_a_failure) {
  const auto reason = reason_of(options(10, 10, 0),
                                {{1, 5, 1}, {1, std::numeric_limits<std::int64_t>::min(), 1}}, 1);
  EXPECT_NE(reason.find("too far from 1970"), std::string::npos) << reason;
}

TEST(TimeWindows, goes_on_where_it_was_saved) {
  const WholeRows rows{{1, 5, 1}, {1, {}, 2}, {2, 9, {}}, {1, 14, 3}, {1, 4, 4}, {1, 31, 5}};
  const auto sliding = options(10, 4, 5, true);
  const auto whole = support::run<TimeWindows>(sliding, rows, 100);
  for (const std::size_t each : {1U, 2U, 4U}) {
    EXPECT_EQ(support::run<TimeWindows>(sliding, rows, each), whole);
  }
}

}  // namespace
}  // namespace penstock
