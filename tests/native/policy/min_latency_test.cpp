#include "penstock/policy/min_latency.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::pick;

TEST(MinLatency, what_has_waited_longest_comes_first) {
  EXPECT_EQ(pick("minLatency", {{.waiting = 9, .oldest = 7}, {.waiting = 1, .oldest = 5}}), 1);
}

TEST(MinLatency, a_source_counts_by_its_last_run) {
  EXPECT_EQ(pick("minLatency", {{.source = true, .last_run = 4, .oldest = 9},
                                {.waiting = 1, .last_run = 1, .oldest = 5}}),
            0);
}

}  // namespace
}  // namespace penstock
