#include "penstock/schedule/run_window.hpp"

#include <gtest/gtest.h>

#include "penstock/schedule/line.hpp"

namespace penstock {
namespace {

using AnyRun = schedule::Run;
using schedule::RunWindow;

TEST(RunWindow, admits_no_more_runs_than_it_has) {
  RunWindow<AnyRun> window(2);
  ASSERT_NE(window.try_admit(), nullptr);
  ASSERT_NE(window.try_admit(), nullptr);
  EXPECT_EQ(window.try_admit(), nullptr);
  EXPECT_EQ(window.under_way(), 2U);
}

TEST(RunWindow, a_run_can_be_collected_once_it_is_through_and_only_once) {
  RunWindow<AnyRun> window(2);
  AnyRun* const run = window.try_admit();
  EXPECT_FALSE(window.collectable());
  EXPECT_EQ(window.try_collect(), nullptr);
  window.complete();
  EXPECT_TRUE(window.collectable());
  EXPECT_EQ(window.try_collect(), run);
  EXPECT_EQ(window.try_collect(), nullptr);
  EXPECT_EQ(window.under_way(), 0U);
}

TEST(RunWindow, a_run_that_is_through_keeps_its_place_until_it_is_collected) {
  RunWindow<AnyRun> window(1);
  (void)window.try_admit();
  window.complete();
  EXPECT_EQ(window.try_admit(), nullptr);
  (void)window.try_collect();
  EXPECT_NE(window.try_admit(), nullptr);
}

TEST(RunWindow, a_run_that_was_not_shown_is_collected_after_a_closer_look) {
  RunWindow<AnyRun> window(2);
  AnyRun* const run = window.try_admit();
  RunWindow<AnyRun>::Tally tally(window);
  tally.complete();
  EXPECT_EQ(window.try_collect(), nullptr);
  EXPECT_TRUE(window.collectable());
  EXPECT_EQ(window.try_collect(), run);
  tally.show();
  EXPECT_FALSE(window.collectable()) << "it was collected";
}

TEST(RunWindow, runs_are_shown_together) {
  RunWindow<AnyRun> window(3);
  RunWindow<AnyRun>::Tally tally(window);
  for (int i = 0; i < 3; ++i) (void)window.try_admit();
  for (int i = 0; i < 2; ++i) tally.complete();
  tally.show();
  tally.show();
  for (int i = 0; i < 2; ++i) EXPECT_NE(window.try_collect(), nullptr);
  EXPECT_EQ(window.try_collect(), nullptr) << "and shown once";
}

TEST(RunWindow, a_run_that_is_shown_late_hides_none_that_was_completed_meanwhile) {
  RunWindow<AnyRun> window(1);
  (void)window.try_admit();
  RunWindow<AnyRun>::Tally late(window);
  late.complete();
  EXPECT_TRUE(window.collectable());
  (void)window.try_collect();
  (void)window.try_admit();
  window.complete();
  late.show();
  EXPECT_NE(window.try_collect(), nullptr);
  EXPECT_FALSE(window.collectable());
}

TEST(RunWindow, uses_as_many_of_its_runs_as_it_is_told) {
  RunWindow<AnyRun> window(3);
  window.use(1);
  AnyRun* const first = window.try_admit();
  EXPECT_EQ(window.try_admit(), nullptr);
  window.complete();
  EXPECT_EQ(window.try_collect(), first);
  EXPECT_EQ(window.try_admit(), first) << "it is still in the cache";
  window.complete();
  EXPECT_EQ(window.try_collect(), first);
  window.use(3);
  for (std::uint64_t serial = 2; serial < 5; ++serial)
    EXPECT_EQ(window.try_admit()->serial, serial);
  EXPECT_EQ(window.try_admit(), nullptr);
}

TEST(RunWindow, tells_the_serial_number_of_the_next_run) {
  RunWindow<AnyRun> window(2);
  EXPECT_EQ(window.next_serial(), 0U);
  (void)window.try_admit();
  EXPECT_EQ(window.next_serial(), 1U);
  EXPECT_EQ(window.try_admit()->serial, 1U);
}

TEST(RunWindow, a_run_used_again_is_new_to_every_station) {
  RunWindow<AnyRun> window(1);
  AnyRun* const run = window.try_admit();
  run->station = 7;
  run->has_turn = true;
  window.complete();
  (void)window.try_collect();
  const AnyRun* const again = window.try_admit();
  EXPECT_EQ(again, run);
  EXPECT_EQ(again->serial, 1U);
  EXPECT_EQ(again->station, 0);
  EXPECT_FALSE(again->has_turn);
}

}  // namespace
}  // namespace penstock
