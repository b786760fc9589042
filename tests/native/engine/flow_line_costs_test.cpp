// What stations are expected to cost once an operator's parts in use have changed.
#include <gtest/gtest.h>
#include <vector>

#include "penstock/engine/flow_line.hpp"

#include "support/counting_region.hpp"

namespace penstock {
namespace {

using engine::FlowLine;

constexpr int kMost = 4;
constexpr int kStations = kMost + 3;  // cut, channels, join and the sink

graph::Topology region_of_four() {
  return support::counting_region({.least = 1, .most = kMost, .first = 2});
}

std::vector<double> expected(const FlowLine& line, std::vector<double> costs) {
  line.share_out(costs);
  return costs;
}

TEST(FlowLineCosts, channels_cost_what_they_cost_while_they_are_the_same) {
  const auto topology = region_of_four();
  FlowLine line(topology, kMost);
  ASSERT_EQ(line.stations(), kStations);
  const std::vector<double> costs = {1, 30, 10, 0, 0, 2, 3};
  EXPECT_EQ(expected(line, costs), costs);
  line.set_width(0, 2);
  EXPECT_EQ(expected(line, costs), costs);
}

TEST(FlowLineCosts, new_channels_are_expected_to_take_their_share_of_the_work) {
  const auto topology = region_of_four();
  FlowLine line(topology, kMost);
  line.set_width(0, 4);
  EXPECT_EQ(expected(line, {1, 30, 10, 0, 0, 2, 3}),
            (std::vector<double>{1, 10, 10, 10, 10, 2, 3}));
}

TEST(FlowLineCosts, channels_that_are_gone_cost_nothing_any_more) {
  const auto topology = region_of_four();
  FlowLine line(topology, kMost);
  line.set_width(0, 4);
  line.set_width(0, 1);
  EXPECT_EQ(expected(line, {1, 10, 10, 10, 10, 2, 3}), (std::vector<double>{1, 40, 0, 0, 0, 2, 3}));
}

}  // namespace
}  // namespace penstock
