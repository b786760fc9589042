#include "penstock/ops/session_windows.hpp"

#include <gtest/gtest.h>

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::SessionWindows;
using support::Gathered;
using support::WholeRows;

ops::WindowOptions options(std::optional<std::int64_t> watermark, bool flush = true) {
  return {.keyed = {.keys = {0}},
          .shown = {0},
          .aggregates = {{Function::kSum, 2}, {Function::kCount, Aggregate::kRows}},
          .flush = flush,
          .on = 1,
          .size = 5,
          .every = 5,
          .watermark = watermark};
}

TEST(SessionWindows, rows_as_far_apart_as_the_gap_are_together) {
  EXPECT_EQ(support::run<SessionWindows>(options({}), {{1, 0, 1}, {1, 5, 2}, {1, 11, 4}}, 3),
            (WholeRows{{1, 0, 10, 3, 2}, {1, 11, 16, 4, 1}}));
}

TEST(SessionWindows, a_row_between_two_makes_them_one) {
  EXPECT_EQ(support::run<SessionWindows>(options({}), {{1, 0, 1}, {1, 9, 2}, {1, 4, {}}}, 3),
            (WholeRows{{1, 0, 14, 3, 3}}));
}

TEST(SessionWindows, a_session_leaves_because_of_the_row_that_moves_the_watermark_to_its_end) {
  auto windows = support::make_windows<SessionWindows>(options(2, false));
  Gathered out(support::made_types(options(2, false)));
  support::process(windows, {{1, 0, 1}, {1, 6, 2}, {1, 7, 3}, {1, 0, 9}, {1, 20, 4}}, out);
  EXPECT_EQ(out.rows, (WholeRows{{1, 0, 5, 1, 1}, {1, 6, 12, 5, 2}})) << "and the row at 0 is late";
  EXPECT_EQ(out.from, (std::vector<std::int32_t>{2, 4}));
}

TEST(SessionWindows, goes_on_where_it_was_saved) {
  WholeRows rows;
  for (std::int64_t n = 0; n < 60; ++n) rows.push_back({n % 2, n * 2 + n * n % 17, n});
  const auto whole = support::run<SessionWindows>(options(10), rows, 100);
  EXPECT_GT(whole.size(), 4U);
  for (const std::size_t each : {1U, 2U, 7U}) {
    EXPECT_EQ(support::run<SessionWindows>(options(10), rows, each), whole);
  }
}

}  // namespace
}  // namespace penstock
