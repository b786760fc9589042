#include "penstock/region/migration.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

namespace penstock::region {
namespace {

using graph::Resizing;

void expect_pulse(Migration& migration, Resizing what, int from, int to) {
  const auto pulse = migration.next_pulse();
  ASSERT_TRUE(pulse.has_value());
  EXPECT_EQ(pulse->what, what);
  EXPECT_EQ(pulse->from, from);
  EXPECT_EQ(pulse->to, to);
}

// Sends what is due until nothing is, each pulse through before the next; the widths on the way.
std::vector<int> settle(Migration& migration) {
  std::vector<int> widths;
  for (int pulses = 0; pulses < 3 && migration.next_pulse(); ++pulses) {
    if (migration.admits_rows()) widths.push_back(migration.width());
    migration.came_through();
  }
  return widths;
}

TEST(Migration, has_nothing_to_do_at_first) {
  Migration migration(3);
  EXPECT_TRUE(migration.settled());
  EXPECT_FALSE(migration.is_due());
  EXPECT_TRUE(migration.admits_rows());
  EXPECT_EQ(migration.width(), 3);
  EXPECT_FALSE(migration.next_pulse().has_value());
}

TEST(Migration, does_nothing_for_the_width_it_has) {
  Migration migration(3);
  migration.ask_for(3);
  EXPECT_TRUE(migration.settled());
  EXPECT_FALSE(migration.next_pulse().has_value());
}

TEST(Migration, routes_rows_as_before_until_the_pulse_is_sent) {
  for (const int wish : {1, 5}) {
    Migration migration(3);
    migration.ask_for(wish);
    EXPECT_FALSE(migration.settled());
    EXPECT_TRUE(migration.admits_rows());
    EXPECT_EQ(migration.width(), 3);
  }
}

TEST(Migration, grows_by_one_pulse_that_rows_follow_at_once) {
  Migration migration(1);
  migration.ask_for(4);
  expect_pulse(migration, Resizing::kWhole, 1, 4);
  EXPECT_TRUE(migration.admits_rows());
  EXPECT_EQ(migration.width(), 4);
  EXPECT_FALSE(migration.settled());
  EXPECT_FALSE(migration.next_pulse().has_value());
  migration.came_through();
  EXPECT_TRUE(migration.settled());
  EXPECT_EQ(migration.width(), 4);
  EXPECT_FALSE(migration.next_pulse().has_value());
}

TEST(Migration, shrinks_by_a_pulse_that_gives_and_one_that_takes) {
  Migration migration(4);
  migration.ask_for(2);
  expect_pulse(migration, Resizing::kGive, 4, 2);
  EXPECT_FALSE(migration.next_pulse().has_value());
  migration.came_through();
  EXPECT_FALSE(migration.settled());
  expect_pulse(migration, Resizing::kTake, 4, 2);
  EXPECT_FALSE(migration.next_pulse().has_value());
  EXPECT_FALSE(migration.settled());
  migration.came_through();
  EXPECT_TRUE(migration.settled());
  EXPECT_FALSE(migration.next_pulse().has_value());
}

TEST(Migration, holds_rows_back_from_giving_until_taking_is_sent) {
  Migration migration(4);
  migration.ask_for(2);
  ASSERT_TRUE(migration.next_pulse().has_value());
  EXPECT_FALSE(migration.admits_rows());
  migration.came_through();
  EXPECT_FALSE(migration.admits_rows());
  ASSERT_TRUE(migration.next_pulse().has_value());
  EXPECT_TRUE(migration.admits_rows());
  EXPECT_EQ(migration.width(), 2);
  migration.came_through();
  EXPECT_TRUE(migration.admits_rows());
  EXPECT_EQ(migration.width(), 2);
}

TEST(Migration, remembers_the_last_of_several_wishes) {
  Migration migration(1);
  migration.ask_for(8);
  migration.ask_for(2);
  migration.ask_for(3);
  expect_pulse(migration, Resizing::kWhole, 1, 3);
}

TEST(Migration, forgets_a_wish_that_is_taken_back_in_time) {
  Migration migration(2);
  migration.ask_for(5);
  migration.ask_for(2);
  EXPECT_TRUE(migration.settled());
  EXPECT_FALSE(migration.next_pulse().has_value());
}

TEST(Migration, goes_back_only_when_it_has_grown) {
  Migration migration(2);
  migration.ask_for(5);
  ASSERT_TRUE(migration.next_pulse().has_value());
  migration.ask_for(2);
  EXPECT_FALSE(migration.next_pulse().has_value());
  EXPECT_TRUE(migration.admits_rows());
  EXPECT_EQ(migration.width(), 5);
  migration.came_through();
  EXPECT_FALSE(migration.settled());
  expect_pulse(migration, Resizing::kGive, 5, 2);
}

TEST(Migration, takes_what_was_given_whatever_is_wished_meanwhile) {
  for (const int wish : {1, 3, 4, 8}) {
    Migration migration(4);
    migration.ask_for(2);
    ASSERT_TRUE(migration.next_pulse().has_value());
    migration.ask_for(wish);
    EXPECT_FALSE(migration.next_pulse().has_value());
    migration.came_through();
    expect_pulse(migration, Resizing::kTake, 4, 2);
    EXPECT_EQ(migration.width(), 2);
    EXPECT_FALSE(migration.next_pulse().has_value());
    migration.came_through();
    EXPECT_FALSE(migration.settled());
    expect_pulse(migration, wish > 2 ? Resizing::kWhole : Resizing::kGive, 2, wish);
  }
}

TEST(Migration, counts_a_wish_between_giving_and_taking_for_the_next_time) {
  Migration migration(4);
  migration.ask_for(1);
  ASSERT_TRUE(migration.next_pulse().has_value());
  migration.came_through();
  migration.ask_for(4);
  expect_pulse(migration, Resizing::kTake, 4, 1);
  migration.came_through();
  expect_pulse(migration, Resizing::kWhole, 1, 4);
}

TEST(Migration, goes_through_many_widths_one_after_another) {
  Migration migration(1);
  for (const int width : {4, 2, 3, 8, 1}) {
    migration.ask_for(width);
    EXPECT_EQ(settle(migration), std::vector{width});
    EXPECT_TRUE(migration.settled());
    EXPECT_EQ(migration.width(), width);
  }
}

TEST(Migration, refuses_what_comes_through_without_having_been_sent) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Migration steady(2);
  EXPECT_DEATH(steady.came_through(), "only after it was sent");
  steady.ask_for(3);
  EXPECT_DEATH(steady.came_through(), "only after it was sent");
  ASSERT_TRUE(steady.next_pulse().has_value());
  steady.came_through();
  EXPECT_DEATH(steady.came_through(), "only after it was sent");

  Migration shrinking(3);
  shrinking.ask_for(2);
  ASSERT_TRUE(shrinking.next_pulse().has_value());
  shrinking.came_through();
  EXPECT_DEATH(shrinking.came_through(), "only after it was sent");
}

// Wishes, pulses and arrivals in any order: every width that rows are given was announced to them
// by the pulse right before, and what is under way at any time is one pulse at most.
TEST(Migration, never_changes_the_width_of_rows_without_a_pulse) {
  std::mt19937 random(7);
  Migration migration(1);
  int width_of_rows = 1;
  std::optional<Migration::Pulse> under_way;
  std::array<int, 3> sent{};
  for (int step = 0; step < 20'000; ++step) {
    switch (random() % 3) {
      case 0:
        migration.ask_for(1 + static_cast<int>(random() % 8));
        break;
      case 1:
        if (const auto pulse = migration.next_pulse()) {
          ASSERT_FALSE(under_way.has_value());
          ++sent[static_cast<std::size_t>(pulse->what)];
          ASSERT_EQ(pulse->from, width_of_rows);
          if (pulse->what != Resizing::kGive) width_of_rows = pulse->to;
          under_way = pulse;
        }
        break;
      default:
        if (under_way) migration.came_through();
        under_way.reset();
    }
    if (migration.admits_rows()) {
      ASSERT_EQ(migration.width(), width_of_rows);
    }
    Migration copy = migration;
    ASSERT_EQ(migration.is_due(), copy.next_pulse().has_value());
  }
  EXPECT_GT(sent[0], 500);
  EXPECT_GT(sent[1], 500);
  EXPECT_LE(sent[1] - sent[2], 1);
}

}  // namespace
}  // namespace penstock::region
