#include "penstock/schedule/port_history.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using policy::OperatorView;
using schedule::PortHistory;

TEST(PortHistory, a_port_is_an_operator_with_at_most_one_worker) {
  PortHistory history;
  const auto view = history.look({.waiting = 3, .behind = 2, .room = 6}, {.last_begin = 7}, 9);
  EXPECT_EQ(view.waiting, 3);
  EXPECT_EQ(view.made, 2);
  EXPECT_EQ(view.room, 6);
  EXPECT_EQ(view.last_run, 7);
  EXPECT_EQ(view.most_workers, 1);
  EXPECT_TRUE(schedulable(view));
  EXPECT_FALSE(schedulable(history.look({.waiting = 3, .served = true, .room = 6}, {}, 9)));
  EXPECT_FALSE(schedulable(history.look({.waiting = 3, .behind = 8, .room = 0}, {}, 9)));
}

TEST(PortHistory, behind_the_last_port_there_is_always_room) {
  PortHistory history;
  EXPECT_EQ(history.look({.waiting = 1, .last = true}, {}, 0).room, OperatorView::kUnlimited);
}

TEST(PortHistory, the_oldest_is_the_first_that_was_not_taken_yet) {
  PortHistory history;
  EXPECT_EQ(history.look({.taken = 0, .waiting = 2}, {}, 1).oldest, 1);
  EXPECT_EQ(history.look({.taken = 1, .waiting = 4}, {}, 2).oldest, 1) << "one of the first two";
  EXPECT_EQ(history.look({.taken = 2, .waiting = 3}, {}, 3).oldest, 2) << "these came later";
  EXPECT_EQ(history.look({.taken = 5, .waiting = 0}, {}, 4).oldest, 4) << "nothing waits";
  EXPECT_EQ(history.look({.taken = 5, .waiting = 1}, {}, 5).oldest, 5);
}

TEST(PortHistory, cost_and_rates_are_not_known_before_the_first_run) {
  PortHistory history;
  const auto view = history.look({.waiting = 1}, {}, 1);
  EXPECT_EQ(view.cost, 0);
  EXPECT_EQ(view.read_rate, 0);
  EXPECT_EQ(view.write_rate, 0);
}

TEST(PortHistory, cost_is_that_of_this_window_and_the_one_before) {
  PortHistory history;
  const auto now = history.look({.waiting = 1}, {.busy = 8, .runs = 4}, 1);
  EXPECT_EQ(now.cost, 2);
  EXPECT_EQ(now.read_rate, 0.5);
  EXPECT_EQ(now.window_time, 8);
  history.turn_over();
  EXPECT_EQ(history.look({.waiting = 1}, {.busy = 20, .runs = 8}, 2).cost, 2.5);
  EXPECT_EQ(history.look({.waiting = 1}, {.busy = 20, .runs = 8}, 2).window_time, 12);
  history.turn_over();
  EXPECT_EQ(history.look({.waiting = 1}, {.busy = 25, .runs = 9}, 3).cost, 3.4) << "17 for 5";
  EXPECT_EQ(history.look({.waiting = 1}, {.busy = 25, .runs = 9}, 3).window_time, 5);
}

TEST(PortHistory, what_was_not_served_lately_costs_what_it_did_before) {
  PortHistory history;
  (void)history.look({.waiting = 1}, {.busy = 8, .runs = 4}, 1);
  for (int i = 0; i < 3; ++i) history.turn_over();
  const auto view = history.look({.waiting = 1}, {.busy = 8, .runs = 4}, 2);
  EXPECT_EQ(view.cost, 2);
  EXPECT_EQ(view.window_time, 0);
}

}  // namespace
}  // namespace penstock
