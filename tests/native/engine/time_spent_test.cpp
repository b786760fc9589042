#include "penstock/engine/time_spent.hpp"

#include <array>
#include <chrono>
#include <gtest/gtest.h>

namespace penstock {
namespace {

using schedule::Rest;
using std::chrono::nanoseconds;

TEST(TimeSpent, leaves_out_who_is_away_and_who_was_never_there) {
  std::array<schedule::WorkerMeter<>, 3> meters;
  meters[0].start(nanoseconds(0));
  meters[0].begin(Rest::kAway, nanoseconds(10));
  meters[0].end(Rest::kAway, nanoseconds(40));
  meters[1].start(nanoseconds(50));
  meters[1].begin(Rest::kAsleep, nanoseconds(80));
  const auto spent = engine::time_spent(meters, nanoseconds(100));
  EXPECT_EQ(spent.busy, nanoseconds(70 + 30));
  EXPECT_EQ(spent.asleep, nanoseconds(20));
}

}  // namespace
}  // namespace penstock
