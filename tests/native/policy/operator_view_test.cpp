#include "penstock/policy/operator_view.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using policy::schedulable;

TEST(OperatorView, work_needs_a_tuple_room_and_a_place_for_one_more_worker) {
  EXPECT_TRUE(schedulable({.waiting = 1}));
  EXPECT_TRUE(schedulable({.waiting = 1, .workers = 1, .most_workers = 2}));
  EXPECT_FALSE(schedulable({.waiting = 0}));
  EXPECT_FALSE(schedulable({.waiting = 1, .workers = 1}));
  EXPECT_FALSE(schedulable({.waiting = 1, .room = 0}));
}

TEST(OperatorView, a_source_needs_no_tuple_but_room) {
  EXPECT_TRUE(schedulable({.source = true}));
  EXPECT_FALSE(schedulable({.source = true, .room = 0}));
}

}  // namespace
}  // namespace penstock
