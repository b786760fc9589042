#include <gtest/gtest.h>

#include "bench/ordered/queries/results.hpp"

namespace penstock::bench::queries {
namespace {

TEST(OrderedQueryResults, rows_become_outputs_and_marks_latencies) {
  Results results(100);
  results.take({.at = 50, .time = 9, .who = 1, .item = 2, .other = 3, .amount = 4});
  results.take({.at = 50, .entered = steady_ns(), .mark = true});
  ASSERT_EQ(results.outputs().size(), 1U);
  EXPECT_EQ(results.outputs()[0], (Output{.at = 50, .who = 1, .item = 2, .other = 3, .amount = 4}));
  ASSERT_EQ(results.latencies().size(), 1U);
  EXPECT_GE(results.latencies()[0], 0);
}

TEST(OrderedQueryResults, only_marks_in_the_middle_count) {
  Results results(100);
  for (const std::int64_t at : {0, 19, 20, 80, 81, 99}) results.take({.at = at, .mark = true});
  EXPECT_EQ(results.latencies().size(), 2U);
}

TEST(OrderedQueryResults, without_one_in_the_middle_all_marks_count) {
  Results results(100);
  for (const std::int64_t at : {0, 10, 90}) results.take({.at = at, .mark = true});
  EXPECT_EQ(results.latencies().size(), 3U);
}

}  // namespace
}  // namespace penstock::bench::queries
