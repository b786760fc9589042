#include "penstock/elastic/utilization_controller.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace penstock {
namespace {

using elastic::UtilizationController;
using Reason = elastic::UtilizationReason;

UtilizationController controller_up_to(int most) {
  return UtilizationController({.range = {.least = 1, .most = most}});
}

// Threads that have so much to do that `work` of them would never rest.
double used(double work, int threads) { return std::min(1.0, work / threads); }

// The levels of the last `counted` periods of many.
std::vector<int> levels_in_the_end(UtilizationController& controller,
                                   const std::function<double(int)>& plant, int periods = 200) {
  constexpr int kCounted = 50;
  std::vector<int> levels;
  for (int i = 0; i < periods; ++i) {
    const int level = controller.update(plant(controller.level())).level;
    if (i >= periods - kCounted) levels.push_back(level);
  }
  return levels;
}

TEST(UtilizationController, adds_a_thread_while_all_are_busy_and_removes_one_while_they_rest) {
  auto controller = controller_up_to(4);
  EXPECT_EQ(controller.update(1).level, 2);
  EXPECT_EQ(controller.update(0.96).level, 3);
  EXPECT_EQ(controller.update(0.95).level, 3) << "at a threshold nothing changes";
  EXPECT_EQ(controller.update(0.90).level, 3);
  EXPECT_EQ(controller.update(0.5).level, 2);
  EXPECT_EQ(controller.update(0.1).level, 1);
  EXPECT_EQ(controller.update(0.1).level, 1) << "one thread is always enough";
}

TEST(UtilizationController, keeps_to_its_limits) {
  UtilizationController controller({.range = {.least = 2, .most = 3}});
  EXPECT_EQ(controller.level(), 2);
  EXPECT_EQ(controller.update(0).reason, Reason::kNoFewer);
  EXPECT_EQ(controller.update(1).level, 3);
  EXPECT_EQ(controller.update(1).reason, Reason::kNoMore);
  controller.set_most_level(1);
  EXPECT_EQ(controller.level(), 1);
  EXPECT_EQ(controller.decisions().back().reason, Reason::kLimitsChanged);
  EXPECT_EQ(controller.range().least, 1);
  controller.set_least_level(5);
  EXPECT_EQ(controller.level(), 5);
}

// A39: with 3.9 threads' worth of work the rule as printed goes 4 -> 5 -> 4 -> 5 for ever.
TEST(UtilizationController, keeps_a_thread_without_which_the_others_would_be_too_busy) {
  auto controller = controller_up_to(8);
  EXPECT_EQ(levels_in_the_end(controller, [](int n) { return used(3.9, n); }),
            std::vector<int>(50, 5));
  const auto& last = controller.decisions().back();
  EXPECT_EQ(last.reason, Reason::kBusyBelow);
  EXPECT_DOUBLE_EQ(last.other, 3.9 / 4);
  EXPECT_TRUE(controller.settled());
}

TEST(UtilizationController, settles_whatever_constant_load_up_to_64_threads_have) {
  for (int hundredths = 1; hundredths <= 6600; hundredths += 7) {
    const double work = hundredths / 100.0;
    for (const int start : {1, 64}) {
      UtilizationController controller({.range = {.least = start, .most = 64}});
      controller.set_least_level(1);
      const auto levels = levels_in_the_end(controller, [&](int n) { return used(work, n); });
      ASSERT_EQ(levels, std::vector<int>(50, levels.front())) << work << " from " << start;
      const double utilization = used(work, levels.front());
      EXPECT_TRUE(levels.front() == 64 || utilization <= 0.95) << work << " from " << start;
      const double without = work / std::max(1, levels.front() - 1);
      EXPECT_TRUE(levels.front() == 1 || utilization >= 0.9 || without > 0.95)
          << work << " from " << start;
    }
  }
}

// One more makes all of them rest: by the number alone it should go, and then be missed.
TEST(UtilizationController, does_not_go_back_and_forth_where_one_more_gets_less_done) {
  for (int n = 1; n < 64; ++n) {
    auto controller = controller_up_to(64);
    const auto plant = [n](int level) { return level <= n ? 1.0 : 0.8 * n / level; };
    EXPECT_EQ(levels_in_the_end(controller, plant, 250), std::vector<int>(50, n)) << n;
    EXPECT_EQ(controller.decisions().back().reason, Reason::kNoMoreDone);
  }
}

TEST(UtilizationController, follows_a_load_that_changes) {
  auto controller = controller_up_to(64);
  for (const double work : {0.5, 30.0, 3.9, 60.0, 29.0, 0.2, 12.0}) {
    const auto levels = levels_in_the_end(controller, [&](int n) { return used(work, n); });
    const int level = levels.back();
    EXPECT_EQ(levels, std::vector<int>(50, level)) << work;
    EXPECT_LE(used(work, level), 0.95) << work;
    EXPECT_LE(level, work / 0.9 + 1.5) << work;
  }
}

// What was in vain once is tried again when there is more to do, and when there was less between.
TEST(UtilizationController, tries_again_what_was_in_vain_under_another_load) {
  auto controller = controller_up_to(8);
  const auto comes_back = [&](double utilization) {
    ASSERT_EQ(controller.level(), 1);
    ASSERT_EQ(controller.update(utilization).level, 2);
    ASSERT_EQ(controller.update(0.4).level, 1);
    ASSERT_EQ(controller.update(utilization).reason, Reason::kNoMoreDone);
  };
  comes_back(0.96);
  EXPECT_EQ(controller.update(1).level, 2) << "no time left: there is more to do";
  ASSERT_EQ(controller.update(0.3).level, 1);
  EXPECT_EQ(controller.update(1).reason, Reason::kNoMoreDone);
  EXPECT_EQ(controller.update(0.5).level, 1);
  comes_back(1);
}

TEST(UtilizationController, is_not_misled_for_long_by_noise) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(1, 0.01);
  for (int i = 0; i < 40; ++i) {
    const double work = 1.1 + 0.37 * i;
    auto controller = controller_up_to(32);
    int changes = 0;
    for (int period = 0; period < 400; ++period) {
      const double utilization = std::clamp(used(work, controller.level()) * noise(random), 0., 1.);
      const int previous = controller.level();
      if (controller.update(utilization).level != previous && period >= 100) ++changes;
    }
    EXPECT_LE(changes, 30) << work;  // of 300
    EXPECT_GE(controller.level(), work);
    EXPECT_LE(controller.level(), work / 0.9 + 2);
  }
}

TEST(UtilizationController, adds_nothing_while_the_processors_are_busy) {
  auto controller = controller_up_to(4);
  EXPECT_EQ(controller.update(1, false).reason, Reason::kProcessorBusy);
  EXPECT_EQ(controller.level(), 1);
  EXPECT_EQ(controller.update(1, true).level, 2);
  EXPECT_EQ(controller.update(0.2, false).level, 1) << "fewer are always possible";
}

TEST(UtilizationController, learns_nothing_from_a_period_that_is_held) {
  auto controller = controller_up_to(4);
  controller.update(1);
  EXPECT_EQ(controller.hold().level, 2);
  EXPECT_EQ(controller.decisions().back().reason, Reason::kHeld);
  EXPECT_FALSE(controller.decisions().front().after.has_value());
  controller.update(0.93);
  EXPECT_DOUBLE_EQ(controller.decisions().front().after.value(), 0.93);
}

TEST(UtilizationController, forgets_what_is_long_past) {
  auto controller = controller_up_to(2);
  for (int i = 0; i < 5000; ++i) controller.update(0.92);
  EXPECT_EQ(controller.decisions().size(), UtilizationController::kDecisionsKept);
  EXPECT_EQ(controller.decisions().back().period, 4999U);
}

TEST(UtilizationController, refuses_what_cannot_be) {
  auto controller = controller_up_to(2);
  for (const double wrong : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(static_cast<void>(controller.update(wrong)), std::invalid_argument) << wrong;
  }
  EXPECT_TRUE(controller.decisions().empty());
  EXPECT_THROW(controller_up_to(0), std::invalid_argument);
  EXPECT_THROW(UtilizationController({.range = {}, .low = 0.95, .high = 0.95}),
               std::invalid_argument);
  EXPECT_THROW(UtilizationController({.range = {}, .low = 0.5, .high = 1}), std::invalid_argument);
  EXPECT_THROW(UtilizationController({.range = {}, .low = -0.1}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
