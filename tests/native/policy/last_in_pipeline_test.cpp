#include "penstock/policy/last_in_pipeline.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

TEST(LastInPipeline, the_one_nearest_to_the_end_for_which_something_waits_comes_first) {
  EXPECT_EQ(support::pick("LP", {{.waiting = 9}, {.waiting = 1}, {.waiting = 0}}), 1);
  EXPECT_EQ(support::pick("LP", {{.waiting = 9}, support::busy({.waiting = 1})}), 0);
}

}  // namespace
}  // namespace penstock
