#include "penstock/policy/current_throughput.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::pick;

TEST(CurrentThroughput, the_lowest_throughput_in_the_window_comes_first) {
  // 4 / 2 = 2 tuples against 3 / 1 = 3.
  EXPECT_EQ(pick("CT", {{.cost = 1, .waiting = 1, .window_time = 3},
                        {.cost = 2, .waiting = 1, .window_time = 4}}),
            1);
}

// A31: 6 tuples at the second operator are 2 that entered, because the first makes 3 of each; its
// own selectivity, by which the paper divides, is none of that.
TEST(CurrentThroughput, tuples_are_counted_as_they_entered_the_pipeline) {
  EXPECT_EQ(pick("CT", {{.selectivity = 3, .cost = 1, .waiting = 1, .window_time = 4},
                        {.selectivity = 0, .cost = 1, .waiting = 1, .window_time = 6}}),
            1);
  EXPECT_EQ(pick("CT", {{.selectivity = 3, .cost = 1, .waiting = 1, .window_time = 1.5},
                        {.selectivity = 0, .cost = 1, .waiting = 1, .window_time = 6}}),
            0);
}

TEST(CurrentThroughput, workers_that_are_there_will_work_for_a_slice_each) {
  // (1 + 2 * 0.5) / 1 = 2 against 1.5 / 1.
  EXPECT_EQ(pick("CT",
                 {{.cost = 1, .waiting = 1, .workers = 2, .most_workers = 9, .window_time = 1},
                  {.cost = 1, .waiting = 1, .window_time = 1.5}},
                 {.slice = 0.5}),
            1);
}

TEST(CurrentThroughput, who_has_not_run_in_the_window_has_done_nothing) {
  EXPECT_EQ(pick("CT", {{.cost = 1, .waiting = 1, .window_time = 0.001}, {.waiting = 1}}), 1);
}

TEST(CurrentThroughput, what_costs_nothing_has_done_infinitely_much) {
  EXPECT_EQ(pick("CT", {{.cost = 0, .waiting = 1, .window_time = 1},
                        {.cost = 1e-9, .waiting = 1, .window_time = 1e9}}),
            1);
}

TEST(CurrentThroughput, so_has_what_nothing_should_reach) {
  EXPECT_EQ(pick("CT", {{.selectivity = 0, .cost = 1, .waiting = 1, .window_time = 1e9},
                        {.cost = 1, .waiting = 1, .window_time = 1}}),
            0);
}

}  // namespace
}  // namespace penstock
