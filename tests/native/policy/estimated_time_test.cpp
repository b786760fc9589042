#include "penstock/policy/estimated_time.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::pick;

TEST(EstimatedTime, the_one_that_takes_longest_for_its_worklist_comes_first) {
  EXPECT_EQ(pick("ET", {{.cost = 2, .waiting = 5}, {.cost = 3, .waiting = 4}}), 1);
}

TEST(EstimatedTime, workers_that_are_there_share_the_work) {
  // 12 / (2 + 1) = 4 is less than 5.
  EXPECT_EQ(pick("ET", {{.cost = 1, .waiting = 5},
                        {.cost = 3, .waiting = 4, .workers = 2, .most_workers = 8}}),
            0);
}

TEST(EstimatedTime, one_with_all_the_workers_it_can_have_has_no_priority) {
  EXPECT_EQ(pick("ET", {{.cost = 0, .waiting = 1}, {.cost = 3, .waiting = 4, .workers = 1}}), 0);
}

TEST(EstimatedTime, what_costs_nothing_comes_last_and_does_come) {
  EXPECT_EQ(pick("ET", {{.cost = 0, .waiting = 9}, {.cost = 0.001, .waiting = 1}}), 1);
  EXPECT_EQ(pick("ET", {{.cost = 0, .waiting = 9}, {.cost = 0.001}}), 0);
}

}  // namespace
}  // namespace penstock
