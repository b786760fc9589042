#include "penstock/engine/control_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/always_room.hpp"
#include "engine/levers_bench.hpp"

namespace penstock {
namespace {

using engine::ControlLoop;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

class ControlLoopTest : public testing::Test {
 protected:
  static constexpr auto kPeriod = milliseconds(100);

  ControlLoop make(int most = 4) {
    return ControlLoop(
        model_, {.range = {.least = 1, .most = most}, .moves_stops = false, .period = kPeriod},
        [this](nanoseconds /*now*/) {
          ++cpu_asked_;
          return room_;
        },
        now_);
  }

  // Lets time pass in steps of a tenth of a period, with 100 rows per second and thread.
  void pass(ControlLoop& loop, int periods, double per_thread = 100) {
    for (int i = 0; i < periods * 10; ++i) {
      now_ += kPeriod / 10;
      for (int run = 0; run < 7; ++run) {
        owed_ += per_thread * model_.threads() * 0.01 / 7;
        const auto rows = static_cast<std::int64_t>(owed_);
        owed_ -= static_cast<double>(rows);
        loop.collected(rows);
      }
      loop.tick(now_);
    }
  }

  LeversBench model_;
  nanoseconds now_{0};
  elastic::CpuRoom room_{.for_more = true};
  int cpu_asked_ = 0;
  double owed_ = 0;
};

TEST_F(ControlLoopTest, begins_with_the_fewest_threads) {
  const auto loop = make();
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(cpu_asked_, 1) << "the probe must be primed";
}

TEST_F(ControlLoopTest, threads_that_pay_are_taken_and_the_reason_is_kept) {
  auto loop = make();
  pass(loop, 30, 1000);
  EXPECT_EQ(model_.plan().threads, 4);
  const auto& first = loop.actions().front();
  EXPECT_EQ(first.previous, 1);
  EXPECT_EQ(first.chosen, 2);
  EXPECT_FALSE(first.reason.empty());
  EXPECT_NE(first.text.find("1 -> 2 threads"), std::string::npos) << first.text;
  EXPECT_NEAR(*first.before, 1000, 50);
  EXPECT_NEAR(*first.after, 2000, 100);
  EXPECT_GT(first.seconds, 0);
}

TEST_F(ControlLoopTest, nothing_is_decided_before_the_last_change_is_in_effect) {
  model_.slow_to_settle = true;
  auto loop = make();
  pass(loop, 20, 1000);
  EXPECT_EQ(model_.adopted.size(), 1U);
  model_.is_settled = true;
  pass(loop, 2, 1000);
  EXPECT_EQ(model_.adopted.size(), 2U);
}

TEST_F(ControlLoopTest, a_period_waits_for_enough_runs_but_not_for_ever) {
  auto loop = make();
  for (int i = 0; i < 8; ++i) {
    now_ += kPeriod;
    loop.collected(1000);
    loop.tick(now_);
  }
  EXPECT_EQ(model_.adopted.size(), 1U) << "eight runs say little";
  for (int i = 0; i < 16; ++i) {
    now_ += kPeriod;
    loop.tick(now_);
  }
  EXPECT_EQ(model_.adopted.size(), 2U) << "after twenty periods they must do";
}

TEST_F(ControlLoopTest, long_runs_are_decided_about_after_fewer_of_them) {
  auto loop = make();
  int periods = 0;
  for (; periods < 100 && model_.adopted.size() == 1; ++periods) {
    now_ += kPeriod;
    for (int run = 0; run < 5; ++run) loop.collected(10);
    loop.tick(now_);
  }
  // Two are over before anything is counted.
  EXPECT_EQ(periods, 2 + 5) << "as many as 24 runs take, not 64";
}

TEST_F(ControlLoopTest, a_busy_machine_gets_no_more_threads) {
  room_ = {};
  auto loop = make();
  pass(loop, 30, 1000);
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(loop.actions().back().reason, "processor_busy");
}

TEST_F(ControlLoopTest, a_machine_that_shows_nothing_gets_no_more_threads_and_it_is_said_why) {
  room_ = {.unknown = "/proc/stat is gone"};
  auto loop = make();
  pass(loop, 30, 1000);
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(loop.actions().back().reason, "processor_unknown");
  EXPECT_EQ(loop.actions().back().text,
            "stay at 1 thread: more were due, but /proc/stat is gone; a number of threads that is "
            "not elastic needs no such file");
}

TEST_F(ControlLoopTest, the_same_decision_again_is_not_written_down_again) {
  auto loop = make(1);
  pass(loop, 50, 1000);
  EXPECT_LE(loop.actions().size(), 4U);
  const auto noted = loop.actions_noted();
  pass(loop, 1, 1000);
  EXPECT_LE(loop.actions_noted(), noted + 1) << "the throughput after the last one, at most";
}

// S25: the thread that an operator keeps is counted from then on.
TEST_F(ControlLoopTest, a_thread_that_does_not_leave_raises_the_least_level) {
  auto loop = make();
  pass(loop, 30, 1000);
  ASSERT_EQ(model_.plan().threads, 4);
  loop.limit_threads(2, now_);
  EXPECT_EQ(model_.plan().threads, 2);
  model_.stuck = 4;
  pass(loop, 2, 1000);
  EXPECT_EQ(model_.plan().threads, 4);
  bool held = false;
  for (const auto& action : loop.actions()) held = held || action.reason == "held";
  EXPECT_TRUE(held);
}

TEST_F(ControlLoopTest, a_limit_is_obeyed_at_once_and_lifted_again) {
  auto loop = make();
  pass(loop, 30, 1000);
  loop.limit_threads(1, now_);
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(loop.actions().back().reason, "limits_changed");
  pass(loop, 10, 1000);
  EXPECT_EQ(model_.plan().threads, 1);
  loop.limit_threads(4, now_);
  pass(loop, 30, 1000);
  EXPECT_EQ(model_.plan().threads, 4);
}

// As limit_threads(), for others' sake.
TEST_F(ControlLoopTest, what_others_need_is_given_up_at_once_and_the_reason_is_kept) {
  auto loop = make();
  pass(loop, 30, 1000);
  loop.keep_to(1, true, "5 tasks share 4 cores", now_);
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(loop.actions().back().reason, "budget");
  EXPECT_EQ(loop.actions().back().text, "4 -> 1 thread: 5 tasks share 4 cores");
}

TEST_F(ControlLoopTest, what_became_free_is_tried_at_once_and_kept_if_it_pays) {
  auto loop = make(1);
  pass(loop, 10, 1000);
  loop.offer(4, true, "1 task has 4 cores", now_);
  EXPECT_EQ(model_.plan().threads, 4);
  EXPECT_EQ(loop.actions().back().text, "1 -> 4 threads: 1 task has 4 cores");
  pass(loop, 30, 1000);
  EXPECT_EQ(model_.plan().threads, 4);
}

TEST_F(ControlLoopTest, what_became_free_is_left_if_it_does_not_pay) {
  auto loop = make(1);
  pass(loop, 10, 1000);
  loop.offer(4, true, "1 task has 4 cores", now_);
  // As many rows as with one thread, however many there are.
  for (int i = 0; i < 400; ++i) {
    now_ += kPeriod / 10;
    for (int run = 0; run < 10; ++run) loop.collected(1);
    loop.tick(now_);
  }
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_TRUE(loop.settled());
}

TEST_F(ControlLoopTest, where_nobody_chooses_it_is_exactly_what_may_be_had) {
  ControlLoop loop(model_, {.range = {.least = 4, .most = 4}, .period = kPeriod}, always_room,
                   now_);
  EXPECT_EQ(model_.plan().threads, 4);
  loop.keep_to(2, false, "", now_);
  EXPECT_EQ(model_.plan().threads, 2);
  pass(loop, 10, 1000);
  EXPECT_EQ(model_.plan().threads, 2) << "it is not for the loop to choose fewer";
  loop.keep_to(3, false, "", now_);
  EXPECT_EQ(model_.plan().threads, 3);
}

TEST_F(ControlLoopTest, no_thread_is_added_that_was_not_granted) {
  int granted = 2;
  std::vector<int> asked;
  ControlLoop loop(model_,
                   {.range = {.least = 1, .most = 4},
                    .period = kPeriod,
                    .grant =
                        [&](int threads) {
                          asked.push_back(threads);
                          return std::min(threads, granted);
                        },
                    .why_refused = [] { return std::string("3 tasks share 4 cores"); }},
                   always_room, now_);
  pass(loop, 30, 1000);
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked.front(), 2);
  EXPECT_NE(std::ranges::find(asked, 4), asked.end());
  for (const auto& plan : model_.adopted) EXPECT_LE(plan.threads, 2);
  EXPECT_EQ(model_.plan().threads, 2);
  const auto refused = std::ranges::find(loop.actions(), "budget", &engine::Action::reason);
  ASSERT_NE(refused, loop.actions().end());
  EXPECT_NE(refused->text.find(": 3 tasks share 4 cores"), std::string::npos) << refused->text;
}

}  // namespace
}  // namespace penstock
