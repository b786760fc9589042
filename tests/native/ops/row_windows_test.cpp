#include "penstock/ops/row_windows.hpp"

#include <gtest/gtest.h>

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::RowWindows;
using support::Gathered;
using support::WholeRows;

ops::WindowOptions options(std::int64_t size, std::int64_t every, bool flush) {
  return {.keyed = {.keys = {0}},
          .shown = {0},
          .aggregates = {{Function::kCount, Aggregate::kRows}, {Function::kSum, 2}},
          .flush = flush,
          .size = size,
          .every = every};
}

const WholeRows kRows{{1, 0, 10}, {2, 0, 20}, {1, 0, 11}, {1, 0, {}}, {1, 0, 13}, {1, 0, 14}};

TEST(RowWindows, a_tumbling_window_leaves_with_its_last_row) {
  auto windows = support::make_windows<RowWindows>(options(2, 2, false));
  Gathered out(support::made_types(options(2, 2, false)));
  support::process(windows, kRows, out);
  EXPECT_EQ(out.rows, (WholeRows{{1, 0, 2, 2, 21}, {1, 2, 4, 2, 13}}));
  EXPECT_EQ(out.from, (std::vector<std::int32_t>{2, 4}));
  windows.finish(out);
  EXPECT_EQ(out.rows.size(), 2U) << "what is open is left out";
}

TEST(RowWindows, a_sliding_window_holds_the_last_rows_and_fewer_in_the_beginning) {
  EXPECT_EQ(support::run<RowWindows>(options(3, 1, false), kRows, 6),
            (WholeRows{{1, 0, 1, 1, 10},
                       {2, 0, 1, 1, 20},
                       {1, 0, 2, 2, 21},
                       {1, 0, 3, 3, 21},
                       {1, 1, 4, 3, 24},
                       {1, 2, 5, 3, 27}}));
}

TEST(RowWindows, every_need_not_divide_the_length_and_open_windows_leave_by_key) {
  const WholeRows wanted{{1, 0, 2, 2, 21}, {1, 1, 4, 3, 24}, {1, 3, 5, 2, 27}, {2, 0, 1, 1, 20}};
  EXPECT_EQ(support::run<RowWindows>(options(3, 2, true), kRows, 6), wanted);
}

TEST(RowWindows, goes_on_where_it_was_saved) {
  for (const auto flush : {false, true}) {
    const auto whole = support::run<RowWindows>(options(5, 2, flush), kRows, 100);
    for (const std::size_t each : {1U, 2U, 4U}) {
      EXPECT_EQ(support::run<RowWindows>(options(5, 2, flush), kRows, each), whole);
    }
  }
}

}  // namespace
}  // namespace penstock
