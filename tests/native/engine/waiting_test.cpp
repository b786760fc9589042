#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "penstock/engine/control_loop.hpp"

#include "engine/always_room.hpp"
#include "engine/levers_bench.hpp"

namespace penstock {
namespace {

using engine::ControlLoop;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A control loop over a feeder that is outside of the flow for some of the time.
class WaitingTest : public testing::Test {
 protected:
  static constexpr auto kPeriod = milliseconds(100);

  ControlLoop make(std::function<ControlLoop::Outside()> outside) {
    return ControlLoop(
        model_,
        {.range = {.least = 1, .most = 4}, .period = kPeriod, .outside = std::move(outside)},
        always_room, now_);
  }

  // Lets time pass in steps of a tenth of a period, with so much of each outside.
  void pass(ControlLoop& loop, int periods, nanoseconds outside) {
    for (int i = 0; i < periods * 10; ++i) {
      outside_ += outside;
      now_ += kPeriod / 10;
      for (int run = 0; run < 7; ++run) loop.collected(10 * model_.threads());
      loop.tick(now_);
    }
  }

  LeversBench model_;
  nanoseconds outside_{0};
  nanoseconds now_{0};
};

// As a flow does whose input comes slower than one thread takes it.
TEST_F(WaitingTest, who_mostly_waits_for_others_gets_no_more_threads) {
  milliseconds waits{7};  // of each tenth of a period
  auto loop = make([&] {
    const auto time = std::exchange(outside_, nanoseconds(0));
    return ControlLoop::Outside{.at_input = {.total = time, .waited = time}, .at_taker = {}};
  });
  pass(loop, 30, waits);
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_EQ(loop.actions().back().reason, "waiting");
  EXPECT_EQ(loop.actions().back().text,
            "stay at 1 thread: 70 % of the time passes outside of the flow, mostly with whoever "
            "makes its input, and more threads would not change that");
  EXPECT_TRUE(loop.settled()) << "others may have the cores";
  loop.offer(4, true, "1 task has 4 cores", now_);
  EXPECT_EQ(model_.plan().threads, 1) << "nor are they tried because they are free";
  waits = milliseconds(2);
  pass(loop, 3, waits);
  EXPECT_GT(model_.plan().threads, 1) << "it has work now";
}

TEST_F(WaitingTest, time_outside_that_is_work_is_no_reason_unless_it_is_nearly_all) {
  const auto work = [&] {
    const auto time = std::exchange(outside_, nanoseconds(0));
    return ControlLoop::Outside{.at_input = {}, .at_taker = {.total = time}};
  };
  auto loop = make(work);
  pass(loop, 30, milliseconds(8));
  EXPECT_GT(model_.plan().threads, 1);
  auto other = make(work);
  pass(other, 30, microseconds(9500));
  EXPECT_EQ(model_.plan().threads, 1);
  EXPECT_NE(other.actions().back().text.find("whoever takes its rows"), std::string::npos)
      << other.actions().back().text;
}

}  // namespace
}  // namespace penstock
