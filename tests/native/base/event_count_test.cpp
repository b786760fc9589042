#include "penstock/base/event_count.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <utility>

namespace penstock::base {
namespace {

constexpr std::chrono::nanoseconds kNoTime{0};

TEST(event_count, a_notification_after_the_announcement_ends_the_wait) {
  EventCount<> events;
  const auto key = events.prepare_wait();
  events.notify_one();
  events.wait(key).accept();
  EXPECT_EQ(events.waiters_hint(), 0U);
}

TEST(event_count, a_notification_before_the_announcement_does_not) {
  EventCount<> events;
  events.notify_one();
  events.notify_all();
  const auto key = events.prepare_wait();
  EXPECT_FALSE(events.wait_for(key, kNoTime)) << "nobody was there to be notified";
}

TEST(event_count, everybody_announced_sees_one_notification) {
  EventCount<> events;
  const auto first = events.prepare_wait();
  const auto second = events.prepare_wait();
  EXPECT_EQ(events.waiters_hint(), 2U);
  events.notify_one();
  events.wait(first).accept();
  events.wait(second).accept();
}

TEST(event_count, a_cancelled_wait_leaves_nothing_behind) {
  EventCount<> events;
  static_cast<void>(events.prepare_wait());
  events.cancel_wait();
  EXPECT_EQ(events.waiters_hint(), 0U);
  events.notify_one();
}

TEST(event_count, a_wait_that_ran_out_of_time_is_no_wake_up) {
  EventCount<> events;
  const auto key = events.prepare_wait();
  EXPECT_FALSE(events.wait_for(key, kNoTime));
  EXPECT_EQ(events.waiters_hint(), 0U);
}

TEST(event_count, a_dropped_wake_up_is_passed_on) {
  EventCount<> events;
  const auto leaving = events.prepare_wait();
  events.notify_one();
  const auto staying = events.prepare_wait();
  {
    const auto dropped = events.wait(leaving);
  }
  EXPECT_TRUE(events.wait_for(staying, kNoTime)) << "it was notified by the one that left";
}

TEST(event_count, an_accepted_wake_up_is_kept) {
  EventCount<> events;
  const auto leaving = events.prepare_wait();
  events.notify_one();
  const auto staying = events.prepare_wait();
  events.wait(leaving).accept();
  EXPECT_FALSE(events.wait_for(staying, kNoTime));
}

TEST(event_count, a_moved_wake_up_is_passed_on_once) {
  EventCount<> events;
  const auto leaving = events.prepare_wait();
  events.notify_one();
  auto wake_up = events.wait(leaving);
  const auto first = events.prepare_wait();
  {
    auto moved = std::move(wake_up);
    EXPECT_TRUE(moved);
    EXPECT_FALSE(wake_up);  // NOLINT(bugprone-use-after-move): a moved one owes nothing
  }
  EXPECT_TRUE(events.wait_for(first, kNoTime));
  const auto second = events.prepare_wait();
  wake_up.pass_on();
  EXPECT_FALSE(events.wait_for(second, kNoTime));
}

TEST(event_count, that_dies_under_a_waiter_is_a_failed_check) {
  EXPECT_DEATH(
      {
        EventCount<> events;
        static_cast<void>(events.prepare_wait());
      },
      "must outlive the threads");
}

}  // namespace
}  // namespace penstock::base
