#include "penstock/engine/utilization_chooser.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "penstock/engine/control_loop.hpp"

namespace penstock {
namespace {

using elastic::Plan;
using engine::ControlLoop;
using engine::TimeSpent;
using engine::UtilizationChooser;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr auto kPeriod = milliseconds(100);

class Bench final : public engine::Levers {
 public:
  void adopt(Plan plan) override {
    plan_ = plan;
    levels.push_back(plan.threads);
  }
  [[nodiscard]] Plan plan() const override { return plan_; }
  [[nodiscard]] int threads() const override { return plan_.threads; }
  [[nodiscard]] int threads_with_late_ones() const override {
    return std::max(plan_.threads, stuck);
  }

  std::vector<int> levels;
  int stuck = 0;

 private:
  Plan plan_;
};

class ByUtilization : public testing::Test {
 protected:
  ControlLoop make(int most = 8) {
    return ControlLoop(
        model_,
        {.range = {.least = 1, .most = most},
         .moves_stops = false,
         .period = kPeriod,
         .time_spent = [this](nanoseconds /*now*/) { return spent_; }},
        [this](nanoseconds /*now*/) { return room_; }, nanoseconds(0));
  }

  // There is work for so many threads; those that are there share it.
  void pass(ControlLoop& loop, int periods, double work) {
    for (int i = 0; i < periods * 10; ++i) {
      const auto step = std::chrono::duration<double>(kPeriod) / 10;
      const double busy = std::min(work, static_cast<double>(model_.threads()));
      spent_.busy += std::chrono::duration_cast<nanoseconds>(step * busy);
      spent_.asleep += std::chrono::duration_cast<nanoseconds>(step * (model_.threads() - busy));
      now_ += kPeriod / 10;
      for (int run = 0; run < 10; ++run) loop.collected(1);
      loop.tick(now_);
    }
  }

  Bench model_;
  TimeSpent spent_;
  nanoseconds now_{0};
  elastic::CpuRoom room_{.for_more = true};
};

TEST_F(ByUtilization, busy_threads_get_one_more_at_a_time_and_the_reason_is_told) {
  auto loop = make();
  pass(loop, 30, 3.7);
  EXPECT_EQ(model_.levels, (std::vector{1, 2, 3, 4}));
  const auto& first = loop.actions().front();
  EXPECT_EQ(std::pair(first.previous, first.chosen), std::pair(1, 2));
  EXPECT_EQ(first.reason, "busy");
  EXPECT_EQ(first.text, "1 -> 2 threads: 1 thread was busy for 100 % of the time, above 95 %");
  EXPECT_TRUE(first.before && first.after) << "rows per second, as of other decisions";
}

TEST_F(ByUtilization, idle_threads_go_again) {
  auto loop = make();
  pass(loop, 30, 6);
  ASSERT_GE(model_.threads(), 6);
  pass(loop, 30, 1.8);
  EXPECT_EQ(model_.threads(), 2);
  EXPECT_TRUE(std::ranges::any_of(loop.actions(),
                                  [](const auto& action) { return action.reason == "idle"; }));
}

// A39: by the thresholds alone four threads with work for 3.9 become five, four, five for ever.
TEST_F(ByUtilization, nothing_goes_back_and_forth) {
  auto loop = make();
  pass(loop, 40, 3.9);
  const auto changes = model_.levels.size();
  pass(loop, 60, 3.9);
  EXPECT_EQ(model_.levels.size(), changes);
}

TEST_F(ByUtilization, a_busy_machine_gets_no_more_threads) {
  room_ = {};
  auto loop = make();
  pass(loop, 20, 4);
  EXPECT_EQ(model_.threads(), 1);
  EXPECT_EQ(loop.actions().back().reason, "processor_busy");
}

TEST_F(ByUtilization, there_are_never_more_threads_than_there_may_be) {
  auto loop = make(3);
  pass(loop, 30, 8);
  EXPECT_EQ(model_.levels, (std::vector{1, 2, 3}));
}

TEST_F(ByUtilization, a_limit_is_obeyed_at_once_and_lifted_again) {
  auto loop = make();
  pass(loop, 30, 3.7);
  ASSERT_EQ(model_.threads(), 4);
  loop.limit_threads(2, now_);
  EXPECT_EQ(model_.threads(), 2);
  EXPECT_EQ(loop.actions().back().reason, "limits_changed");
  pass(loop, 20, 3.7);
  EXPECT_EQ(model_.threads(), 2);
  loop.limit_threads(8, now_);
  pass(loop, 30, 3.7);
  EXPECT_EQ(model_.threads(), 4);
}

// S25.
TEST_F(ByUtilization, a_thread_that_does_not_leave_is_counted_from_then_on) {
  auto loop = make();
  pass(loop, 30, 3.7);
  loop.limit_threads(2, now_);
  model_.stuck = 4;
  pass(loop, 3, 3.7);
  EXPECT_EQ(model_.threads(), 4);
}

TEST(UtilizationChooser, does_not_count_what_was_before_the_period) {
  TimeSpent spent{.busy = milliseconds(500), .asleep = milliseconds(0)};
  UtilizationChooser chooser({.least = 1, .most = 4}, [&](nanoseconds /*now*/) { return spent; });
  chooser.begin_period(milliseconds(500));
  spent.busy += milliseconds(92);
  spent.asleep += milliseconds(8);
  EXPECT_EQ(chooser.update(1, true, milliseconds(600)).reason, "well_used");
  EXPECT_TRUE(chooser.settled());
}

TEST(UtilizationChooser, threads_that_had_no_time_at_all_are_not_called_busy) {
  UtilizationChooser chooser({.least = 1, .most = 4},
                             [](nanoseconds /*now*/) { return TimeSpent{}; });
  EXPECT_EQ(chooser.update(1, true, milliseconds(1)).chosen, 1);
}

TEST(UtilizationChooser, gives_each_number_of_threads_the_usual_stops) {
  UtilizationChooser chooser({.least = 2, .most = 4},
                             [](nanoseconds /*now*/) { return TimeSpent{}; });
  EXPECT_EQ(chooser.plan(),
            (Plan{.threads = 2, .stops_per_thread = elastic::PlanController::kStopsPerThread}));
}

}  // namespace
}  // namespace penstock
