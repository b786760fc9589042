#include "penstock/schedule/port_lane.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <utility>

#include "penstock/schedule/furthest_first.hpp"
#include "penstock/schedule/least_recent_first.hpp"
#include "penstock/schedule/port_line.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::Doorbell;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::step;
using support::TestLine;

template <typename Policy>
class PortLaneTest : public testing::Test {};
using Policies = testing::Types<schedule::FurthestFirst<>, schedule::LeastRecentFirst<>>;
TYPED_TEST_SUITE(PortLaneTest, Policies);

TYPED_TEST(PortLaneTest, ports_of_the_lane_are_given_to_the_feeder_only) {
  const TestLine line("sSs");
  schedule::PortLane<TypeParam> ports(line);
  const auto middle_has_work = [](std::size_t port) { return port == 1; };
  EXPECT_TRUE(ports.put(1));
  EXPECT_EQ(ports.take(middle_has_work, false), std::nullopt);
  EXPECT_EQ(ports.take(middle_has_work, true), 1U);
}

TYPED_TEST(PortLaneTest, the_feeder_takes_other_ports_when_nothing_waits_in_the_lane) {
  const TestLine line("sSs");
  schedule::PortLane<TypeParam> ports(line);
  EXPECT_TRUE(ports.put(0));
  EXPECT_EQ(ports.take([](std::size_t port) { return port == 0; }, true), 0U);
}

TYPED_TEST(PortLaneTest, a_worker_stops_before_the_lane_and_the_feeder_goes_on) {
  TestLine line("sSs");
  Doorbell<> doorbell;
  schedule::PortLine<TestLine, base::RealSync, TypeParam> ports(line, {.window = 4, .capacity = 2},
                                                                doorbell);
  (void)load_one(ports);
  (void)load_one(ports);
  while (step(ports)) {
  }
  EXPECT_EQ(line.passed(0), (Serials{0, 1}));
  EXPECT_EQ(line.passed(1), Serials());
  while (auto turn = ports.try_take(true)) ports.carry(std::move(turn));
  EXPECT_EQ(line.passed(1), (Serials{0, 1}));
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

}  // namespace
}  // namespace penstock
