#include "penstock/policy/queue_throttling.hpp"

#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::busy;
using support::OperatorView;
using support::pick;
using support::Views;

// Of one tuple they make 2, 1 and 1: of 40 places they may fill 20, 10 and 10.
Views two_one_one(std::int64_t first, std::int64_t second) {
  return {{.selectivity = 2, .waiting = 1, .made = first},
          {.selectivity = 0.5, .waiting = 1, .made = second},
          {.selectivity = 1, .waiting = 1}};
}

TEST(QueueThrottling, the_earliest_one_with_less_than_its_share_behind_it_comes_first) {
  EXPECT_EQ(pick("QST", two_one_one(19, 0), {.capacity = 40}), 0);
  EXPECT_EQ(pick("QST", two_one_one(20, 9), {.capacity = 40}), 1);
  EXPECT_EQ(pick("QST", two_one_one(20, 10), {.capacity = 40}), 2);
}

TEST(QueueThrottling, the_last_one_has_no_share_to_fill) {
  auto views = two_one_one(20, 10);
  views[2].made = 1'000;
  EXPECT_EQ(pick("QST", views, {.capacity = 40}), 2);
}

// A32: with selectivity 0 the shares would be 0, and nobody would ever run.
TEST(QueueThrottling, a_share_is_never_less_than_a_tuple) {
  const OperatorView filter{.selectivity = 0, .waiting = 1};
  EXPECT_EQ(pick("QST", {filter, filter}, {.capacity = 40}), 0);
  EXPECT_EQ(pick("QST", {busy(filter), filter, filter}, {.capacity = 0}), 1);
  const OperatorView full{.waiting = 1, .made = 1'000};
  EXPECT_EQ(pick("QST", {full, filter, filter}, {.capacity = 40}), 1);
}

TEST(QueueThrottling, where_all_shares_are_filled_the_furthest_makes_room) {
  auto views = two_one_one(20, 10);
  views[2] = busy(views[2]);
  EXPECT_EQ(pick("QST", views, {.capacity = 40}), 1);
}

}  // namespace
}  // namespace penstock
