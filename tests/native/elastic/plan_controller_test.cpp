#include "penstock/elastic/plan_controller.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace penstock {
namespace {

using elastic::Lever;
using elastic::Plan;
using elastic::PlanController;
using elastic::PlanStep;
using Plant = std::function<double(Plan)>;

PlanController up_to(int most, bool moves_stops = true) {
  return PlanController({.levels = {}, .range = {.least = 1, .most = most}}, moves_stops);
}

std::vector<PlanStep> run(PlanController& controller, const Plant& plant, int periods = 40) {
  std::vector<PlanStep> steps;
  for (int i = 0; i < periods; ++i) {
    steps.push_back(controller.update(plant(controller.plan()), true));
  }
  return steps;
}

TEST(PlanController, begins_with_one_thread) { EXPECT_EQ(up_to(8).plan().threads, 1); }

TEST(PlanController, finds_threads_first_and_then_stops) {
  auto controller = up_to(4);
  const auto steps = run(controller, [](Plan plan) {
    return 100.0 * plan.threads * (plan.stops_per_thread == 32 ? 1.5 : 1.0);
  });
  EXPECT_EQ(controller.plan(), (Plan{.threads = 4, .stops_per_thread = 32}));
  EXPECT_TRUE(controller.settled());
  const auto first_stops = std::ranges::find(steps, Lever::kStops, &PlanStep::lever);
  ASSERT_NE(first_stops, steps.end());
  EXPECT_EQ((first_stops - 1)->reason, "settled") << "one lever at a time";
  EXPECT_EQ(std::ranges::count(steps, "better", &PlanStep::reason), 1) << "and once is enough";
}

TEST(PlanController, keeps_the_usual_stops_when_others_bring_nothing) {
  auto controller = up_to(2);
  const auto steps = run(controller, [](Plan plan) { return 100.0 * plan.threads; });
  EXPECT_EQ(controller.plan(),
            (Plan{.threads = 2, .stops_per_thread = PlanController::kStopsPerThread}));
  bool told = false;
  for (const auto& step : steps) told = told || step.reason == "no_gain";
  EXPECT_TRUE(told);
}

TEST(PlanController, one_lucky_period_does_not_decide) {
  auto controller = up_to(2);
  int periods_with_two = 0;
  run(controller, [&](Plan plan) {
    if (plan.stops_per_thread != 2) return 100.0 * plan.threads;
    return ++periods_with_two == 1 ? 300.0 : 100.0;
  });
  EXPECT_EQ(periods_with_two, 2) << "it is measured once more";
  EXPECT_EQ(controller.plan().stops_per_thread, PlanController::kStopsPerThread);
}

TEST(PlanController, queues_are_chosen_where_they_do_better) {
  auto controller = up_to(2);
  const auto steps = run(controller, [](Plan plan) {
    return 100.0 * plan.threads * (plan.stops_per_thread == Plan::kQueues ? 1.2 : 1.0);
  });
  EXPECT_EQ(controller.plan(), (Plan{.threads = 2, .stops_per_thread = Plan::kQueues}));
  const auto tried = std::ranges::find(steps, Plan::kQueues, &PlanStep::chosen);
  ASSERT_NE(tried, steps.end());
  EXPECT_EQ(tried->text, "32 stops for each thread -> queues before all operators: not tried yet");
}

TEST(PlanController, one_thread_needs_no_stops) {
  auto controller = up_to(2);
  const auto steps = run(controller, [](Plan plan) { return 100.0 / plan.threads; });
  EXPECT_EQ(controller.plan().threads, 1);
  for (const auto& step : steps) EXPECT_EQ(step.lever, Lever::kThreads);
}

TEST(PlanController, stops_stay_where_they_are_when_they_may_not_move) {
  auto controller = up_to(2, false);
  for (const auto& step : run(controller, [](Plan plan) { return 100.0 * plan.threads; })) {
    EXPECT_EQ(step.lever, Lever::kThreads);
  }
}

TEST(PlanController, a_new_load_begins_both_searches_again) {
  auto controller = up_to(2);
  run(controller, [](Plan plan) { return 100.0 * plan.threads; });
  ASSERT_TRUE(controller.settled());
  const auto coarse_is_best = [](Plan plan) {
    return 1000.0 * plan.threads * (plan.stops_per_thread == 2 ? 1.4 : 1.0);
  };
  run(controller, coarse_is_best);
  EXPECT_EQ(controller.plan(), (Plan{.threads = 2, .stops_per_thread = 2}));
}

TEST(PlanController, says_in_words_what_it_did) {
  auto controller = up_to(2);
  for (const auto& step : run(controller, [](Plan plan) { return 100.0 * plan.threads; })) {
    if (step.reason == "not_tried" && step.previous == 8) {
      EXPECT_EQ(step.text, "8 -> 2 stops for each thread: not tried yet");
    }
    if (step.reason == "no_gain") {
      EXPECT_EQ(step.text,
                "queues before all operators -> 8 stops for each thread: throughput was 200 and "
                "nothing else gave more than 200");
    }
  }
}

TEST(PlanController, limits_are_obeyed_at_once) {
  auto controller = up_to(8);
  run(controller, [](Plan plan) { return 100.0 * plan.threads; });
  ASSERT_EQ(controller.plan().threads, 8);
  const auto step = controller.set_most_threads(3);
  EXPECT_EQ(step.previous, 8);
  EXPECT_EQ(step.chosen, 3);
  EXPECT_EQ(step.reason, "limits_changed");
  EXPECT_EQ(controller.set_least_threads(4).chosen, 4);
}

}  // namespace
}  // namespace penstock
