#include "penstock/elastic/thread_controller.hpp"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using elastic::Decision;
using elastic::LoadChangeRule;
using elastic::Reason;
using elastic::ThreadController;
using elastic::ThreadRange;

using Plant = std::function<double(int level)>;

double linear(int level) { return level; }

Plant plateau(int peak) {
  return [peak](int level) { return std::min(level, peak); };
}

ThreadController controller(ThreadRange range, LoadChangeRule rule = LoadChangeRule::kConfirmed) {
  return ThreadController({.range = range, .load_change = rule});
}

std::vector<int> run(ThreadController& controller, const Plant& plant, int periods,
                     bool cpu_ok = true) {
  std::vector<int> levels;
  for (int i = 0; i < periods; ++i) {
    levels.push_back(controller.update(plant(controller.level()), cpu_ok).level);
  }
  return levels;
}

Reason last_reason(const ThreadController& controller) {
  return controller.decisions().back().reason;
}

TEST(ThreadController, starts_at_the_least_level) {
  EXPECT_EQ(controller({.least = 3, .most = 9}).level(), 3);
}

TEST(ThreadController, climbs_by_doubling_and_settles_at_the_peak) {
  auto c = controller({.least = 1, .most = 16});
  EXPECT_EQ(run(c, plateau(6), 4), (std::vector{2, 4, 8, 16}));
  const auto levels = run(c, plateau(6), 16);
  EXPECT_TRUE(c.settled());
  EXPECT_GE(levels.back(), 6);
  EXPECT_LE(levels.back(), 7);
}

// A8
TEST(ThreadController, leaves_a_least_level_above_one) {
  auto c = controller({.least = 3, .most = 64});
  EXPECT_EQ(run(c, linear, 30).back(), 64);
}

// A9
TEST(ThreadController, stays_within_its_limits) {
  auto up = controller({.least = 2, .most = 5});
  for (const int level : run(up, linear, 30)) EXPECT_LE(level, 5);
  auto down = controller({.least = 2, .most = 5});
  for (const int level : run(down, [](int level) { return 1.0 / level; }, 30)) EXPECT_GE(level, 2);
}

// S24, A10: Fig. 8 would fall into the branch that decreases.
TEST(ThreadController, stays_when_the_processors_are_busy_even_if_more_threads_are_better) {
  auto c = controller({.least = 1, .most = 8});
  run(c, linear, 2);
  ASSERT_EQ(c.level(), 4);
  EXPECT_EQ(run(c, linear, 50, false), std::vector<int>(50, 4));
  EXPECT_EQ(last_reason(c), Reason::kProcessorBusy);
  EXPECT_EQ(run(c, linear, 1), std::vector{8});
}

TEST(ThreadController, goes_down_although_the_processors_are_busy) {
  auto c = controller({.least = 1, .most = 4});
  run(c, [](int level) { return 1.0 / level; }, 1);
  ASSERT_EQ(c.level(), 2);
  EXPECT_EQ(run(c, [](int level) { return 1.0 / level; }, 1, false), std::vector{1});
}

// S25
TEST(ThreadController, learns_nothing_from_a_period_on_hold) {
  auto held = controller({.least = 1, .most = 16});
  auto plain = controller({.least = 1, .most = 16});
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(held.hold().reason, Reason::kHeld);
    EXPECT_EQ(run(held, plateau(6), 1), run(plain, plateau(6), 1));
  }
}

TEST(ThreadController, completes_a_decision_when_its_effect_is_measured) {
  auto c = controller({.least = 1, .most = 8});
  c.update(100);
  c.hold();
  EXPECT_FALSE(c.decisions().front().after);
  c.update(190);
  EXPECT_EQ(c.decisions().front().before, 100);
  EXPECT_EQ(c.decisions().front().after, 190);
}

TEST(ThreadController, jumps_to_a_raised_least_level_and_forgets_what_it_knew) {
  auto c = controller({.least = 1, .most = 16});
  run(c, plateau(2), 15);
  ASSERT_EQ(c.level(), 2);
  c.set_least_level(5);
  EXPECT_EQ(c.level(), 5);
  EXPECT_EQ(last_reason(c), Reason::kLimitsChanged);
  EXPECT_TRUE(c.curve().empty());
  EXPECT_GE(run(c, plateau(12), 20).back(), 12);
}

TEST(ThreadController, raises_the_most_level_with_the_least) {
  auto c = controller({.least = 1, .most = 2});
  c.set_least_level(3);
  EXPECT_EQ(c.level(), 3);
  EXPECT_EQ(c.range().most, 3);
}

TEST(ThreadController, keeps_what_it_knows_within_new_limits) {
  auto c = controller({.least = 1, .most = 16});
  const int settled = run(c, plateau(6), 15).back();
  c.set_least_level(5);
  EXPECT_EQ(c.level(), settled);
  EXPECT_NE(c.curve().trusted(settled), nullptr);
  EXPECT_EQ(c.curve().trusted(4), nullptr);
}

TEST(ThreadController, looks_further_up_when_the_most_level_is_raised) {
  auto c = controller({.least = 1, .most = 4});
  ASSERT_EQ(run(c, linear, 10).back(), 4);
  c.set_most_level(32);
  EXPECT_EQ(run(c, linear, 14).back(), 32);
}

TEST(ThreadController, comes_down_when_the_most_level_is_lowered) {
  auto c = controller({.least = 1, .most = 32});
  ASSERT_EQ(run(c, linear, 14).back(), 32);
  c.set_most_level(4);
  EXPECT_EQ(c.level(), 4);
  EXPECT_EQ(run(c, linear, 14).back(), 4);
}

TEST(ThreadController, searches_again_after_a_confirmed_change_of_load) {
  auto c = controller({.least = 1, .most = 64});
  const int settled = run(c, plateau(6), 20).back();
  EXPECT_EQ(
      run(c, [](int level) { return 2.0 * std::min(level, 40); }, 5), std::vector<int>(5, settled));
  EXPECT_EQ(last_reason(c), Reason::kMaybeNoise);
  run(c, [](int level) { return 2.0 * std::min(level, 40); }, 1);
  EXPECT_EQ(last_reason(c), Reason::kLoadChanged);
  EXPECT_GE(run(c, [](int level) { return 2.0 * std::min(level, 40); }, 15).back(), 38);
}

TEST(ThreadController, searches_again_at_once_by_the_literal_rule) {
  auto c = controller({.least = 1, .most = 64}, LoadChangeRule::kLiteral);
  ASSERT_EQ(run(c, plateau(6), 20).back(), 6);
  EXPECT_NE(c.update(6.4).level, 6);
}

TEST(ThreadController, ends_a_search_in_time_although_there_is_more_to_learn) {
  auto c = controller({.least = 1, .most = 184});
  run(c, plateau(147), ThreadController::kSearchPeriods - 1);
  EXPECT_FALSE(c.settled());
  run(c, plateau(147), 1);
  EXPECT_TRUE(c.settled());
}

TEST(ThreadController, takes_as_long_as_the_climb_does_on_a_huge_machine) {
  auto c = controller({.least = 1, .most = 65'536});
  EXPECT_EQ(run(c, linear, 30).back(), 65'536);
}

TEST(ThreadController, counts_noisy_periods_as_part_of_the_search) {
  auto c = controller({.least = 1, .most = 2});
  c.update(100);
  c.update(100);
  ASSERT_FALSE(c.settled());
  for (int i = 2; i < ThreadController::kSearchPeriods; ++i) {
    EXPECT_EQ(c.update(i % 2 == 0 ? 150 : 60).reason, Reason::kMaybeNoise);
  }
  EXPECT_FALSE(c.settled());
  c.update(100);
  EXPECT_TRUE(c.settled());
}

TEST(ThreadController, settles_soon_where_there_are_two_levels) {
  const std::vector<std::pair<Plant, int>> plants{
      {linear, 2}, {[](int level) { return 1.0 / level; }, 1}, {plateau(1), 1}};
  for (const auto& [plant, best] : plants) {
    auto c = controller({.least = 1, .most = 2});
    const auto levels = run(c, plant, 7);
    EXPECT_TRUE(c.settled());
    EXPECT_EQ(levels.back(), best);
  }
}

// The load doubles while the search has 4 behind it and 8 before it, where two threads too many
// do as well as 4 did: only another look at 4 shows it.
TEST(ThreadController, is_not_misled_by_a_load_that_changes_on_the_way_up) {
  const auto peaked = [](int level) { return level <= 4 ? level : 16.0 / level; };
  for (int before = 0; before < 20; ++before) {
    auto c = controller({.least = 1, .most = 8});
    run(c, peaked, before);
    EXPECT_EQ(run(c, [&](int level) { return 2 * peaked(level); }, 30).back(), 4) << before;
    EXPECT_TRUE(c.settled()) << before;
  }
}

TEST(ThreadController, can_be_sent_to_a_level_and_still_knows_the_others) {
  auto c = controller({.least = 1, .most = 4});
  c.update(100);
  c.set_most_level(1);
  c.update(100);
  c.set_most_level(4);
  c.try_level(9);
  EXPECT_EQ(c.level(), 4) << "the nearest that is allowed";
  EXPECT_EQ(c.decisions().back().reason, elastic::Reason::kMoreFree);
  EXPECT_FALSE(c.settled());
  EXPECT_NE(c.curve().trusted(1), nullptr);
}

TEST(ThreadController, keeps_a_bounded_number_of_decisions) {
  auto c = controller({.least = 1, .most = 1});
  for (std::size_t i = 0; i < ThreadController::kDecisionsKept + 10; ++i) c.update(1);
  EXPECT_EQ(c.decisions().size(), ThreadController::kDecisionsKept);
  EXPECT_EQ(c.decisions().front().period, 10U);
}

TEST(ThreadController, refuses_numbers_that_mean_nothing) {
  auto c = controller({.least = 1, .most = 2});
  for (const double throughput : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(c.update(throughput), std::invalid_argument) << throughput;
  }
  EXPECT_TRUE(c.decisions().empty());
  for (const double sensitivity : {0.0, -0.1, 1.0, std::nan("")}) {
    EXPECT_THROW(ThreadController({.range = {.least = 1, .most = 2}, .sensitivity = sensitivity}),
                 std::invalid_argument)
        << sensitivity;
  }
}

}  // namespace
}  // namespace penstock
