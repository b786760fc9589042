#include "penstock/schedule/port_meter.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace penstock {
namespace {

using std::chrono::nanoseconds;

TEST(PortMeter, it_adds_up_the_time_and_remembers_when_the_last_turn_began) {
  schedule::PortMeter<> meter;
  meter.begin(nanoseconds(10));
  meter.end(nanoseconds(15), 2);
  meter.begin(nanoseconds(30));
  EXPECT_EQ(meter.read().last_begin, nanoseconds(30));
  EXPECT_EQ(meter.read().busy, nanoseconds(5)) << "a turn counts when it is over";
  meter.end(nanoseconds(31), 9);
  EXPECT_EQ(meter.read().busy, nanoseconds(6));
  EXPECT_EQ(meter.read().runs, 9U);
}

}  // namespace
}  // namespace penstock
