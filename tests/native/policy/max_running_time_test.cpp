#include "penstock/policy/max_running_time.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::OperatorView;
using support::pick;

// 8 tuples at 4 a second last two seconds.
constexpr OperatorView kTwoSeconds{.waiting = 8, .read_rate = 4, .write_rate = 4};

TEST(MaxRunningTime, the_one_that_can_read_longest_comes_first) {
  EXPECT_EQ(pick("maxRunningTime", {{.waiting = 30, .read_rate = 30}, kTwoSeconds}), 1);
}

TEST(MaxRunningTime, it_ends_as_soon_as_there_is_no_more_room) {
  auto blocked_soon = kTwoSeconds;
  blocked_soon.waiting = 800;
  blocked_soon.room = 4;  // for a second
  EXPECT_EQ(pick("maxRunningTime", {blocked_soon, kTwoSeconds}), 1);
  blocked_soon.room = 12;  // for three
  EXPECT_EQ(pick("maxRunningTime", {kTwoSeconds, blocked_soon}), 1);
}

TEST(MaxRunningTime, a_source_runs_until_there_is_no_room) {
  EXPECT_EQ(pick("maxRunningTime", {kTwoSeconds, {.source = true, .write_rate = 1, .room = 3}}), 1);
  EXPECT_EQ(pick("maxRunningTime", {kTwoSeconds, {.source = true, .write_rate = 2, .room = 3}}), 0);
}

TEST(MaxRunningTime, one_whose_rates_are_not_known_is_tried_first) {
  EXPECT_EQ(pick("maxRunningTime", {kTwoSeconds, {.waiting = 1}}), 1);
}

}  // namespace
}  // namespace penstock
