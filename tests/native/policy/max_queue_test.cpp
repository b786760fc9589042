#include "penstock/policy/max_queue.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::busy;
using support::pick;
using support::Views;

TEST(MaxQueue, the_longest_queue_comes_first) {
  EXPECT_EQ(pick("maxQueue", {{.waiting = 3}, {.waiting = 5}, {.waiting = 4}}), 1);
  EXPECT_EQ(pick("maxQueue", {{.waiting = 3}, busy({.waiting = 5}), {.waiting = 4}}), 2);
}

TEST(MaxQueue, a_source_that_can_run_comes_before_any_queue) {
  EXPECT_EQ(pick("maxQueue", {{.source = true}, {.waiting = 5}}), 0);
  EXPECT_EQ(pick("maxQueue", {{.source = true, .room = 0}, {.waiting = 5}}), 1);
}

TEST(MaxQueue, equals_are_drawn_by_lot) {
  policy::MaxQueue policy(3);
  const Views views{{.waiting = 4}, {.waiting = 1}, {.waiting = 4}};
  std::array<int, 3> drawn{};
  for (int i = 0; i < 1000; ++i) ++drawn.at(static_cast<std::size_t>(policy.pick(views, 0)));
  EXPECT_EQ(drawn[1], 0);
  EXPECT_NEAR(drawn[0], 500, 75);
}

}  // namespace
}  // namespace penstock
