#include "penstock/policy/least_recent.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

TEST(LeastRecent, the_one_that_was_run_longest_ago_comes_next) {
  EXPECT_EQ(support::pick("leastRecent", {{.waiting = 9, .last_run = 3},
                                          {.waiting = 1, .last_run = 1},
                                          {.waiting = 9, .last_run = 2}}),
            1);
}

TEST(LeastRecent, one_for_which_nothing_waits_is_passed_over) {
  EXPECT_EQ(support::pick("leastRecent", {{.last_run = 1}, {.waiting = 1, .last_run = 2}}), 1);
}

}  // namespace
}  // namespace penstock
