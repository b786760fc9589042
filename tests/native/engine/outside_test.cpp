#include "penstock/engine/outside.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace penstock {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Turned by hand.
struct HandClock {
  static inline nanoseconds time{0};
  static inline nanoseconds work{0};
  static inline std::thread::id who;
  static inline int looks = 0;

  static nanoseconds now() { return time; }
  static nanoseconds worked() {
    ++looks;
    return work;
  }
  static std::thread::id thread() { return who; }
};

using Outside = engine::Outside<HandClock>;

class OutsideTest : public testing::Test {
 protected:
  OutsideTest() {
    HandClock::time = milliseconds(1);
    HandClock::work = nanoseconds(0);
    HandClock::who = std::this_thread::get_id();
    HandClock::looks = 0;
  }

  // A stay of so long, of which so much is work.
  void stay(nanoseconds length, nanoseconds work) {
    const Outside::Stay here(&outside_);
    HandClock::time += length;
    HandClock::work += work;
  }

  Outside outside_;
};

TEST_F(OutsideTest, what_was_not_work_was_waiting) {
  stay(milliseconds(10), milliseconds(3));
  const auto time = outside_.take();
  EXPECT_EQ(time.total, milliseconds(10));
  EXPECT_EQ(time.waited, milliseconds(7));
  EXPECT_EQ(outside_.take().total, nanoseconds(0)) << "it was taken already";
}

TEST_F(OutsideTest, work_is_no_waiting) {
  for (int i = 0; i < 20; ++i) stay(milliseconds(10), milliseconds(10));
  const auto time = outside_.take();
  EXPECT_EQ(time.total, milliseconds(200));
  EXPECT_EQ(time.waited, nanoseconds(0));
}

TEST_F(OutsideTest, of_many_short_stays_a_few_are_looked_at_and_all_are_counted) {
  for (int i = 0; i < 800; ++i) stay(microseconds(20), microseconds(5));
  const auto time = outside_.take();
  EXPECT_EQ(time.total, 800 * microseconds(20));
  EXPECT_EQ(time.waited, 800 * microseconds(15));
  EXPECT_LE(HandClock::looks, 2 * (800 / Outside::kLooksOneIn + 4));
}

TEST_F(OutsideTest, every_rare_stay_is_looked_at) {
  for (int i = 0; i < 3; ++i) {
    stay(milliseconds(2), nanoseconds(0));
    HandClock::time += milliseconds(20);
  }
  EXPECT_EQ(outside_.take().waited, milliseconds(6));
}

TEST_F(OutsideTest, time_of_one_thread_is_not_taken_for_that_of_another) {
  outside_.leave();
  HandClock::time += milliseconds(50);
  HandClock::work = nanoseconds(0);
  HandClock::who = std::thread::id();
  outside_.enter();
  const auto time = outside_.take();
  EXPECT_EQ(time.total, milliseconds(50));
  EXPECT_EQ(time.waited, nanoseconds(0));
}

TEST_F(OutsideTest, who_never_left_does_not_come_back) {
  outside_.enter();
  EXPECT_EQ(outside_.take().total, nanoseconds(0));
}

TEST(FeederClock, stands_still_while_the_thread_waits_for_another_one_s_work) {
  using engine::FeederClock;
  const auto before = FeederClock::worked();
  std::thread([] {
    const auto begun = FeederClock::worked();
    while (FeederClock::worked() - begun < milliseconds(20)) {
    }
  }).join();
  EXPECT_LT(FeederClock::worked() - before, milliseconds(20));
}

}  // namespace
}  // namespace penstock
