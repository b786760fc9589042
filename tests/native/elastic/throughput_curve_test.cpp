#include "penstock/elastic/throughput_curve.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using elastic::ThroughputCurve;

ThroughputCurve curve_of(const std::vector<std::pair<int, double>>& points) {
  ThroughputCurve curve;
  for (const auto& [level, throughput] : points) curve.record(level, throughput, 0);
  return curve;
}

// S19: what a record holds.
TEST(ThroughputCurve, remembers_the_first_and_the_last_sample_and_their_time) {
  ThroughputCurve curve;
  curve.record(4, 100, 7);
  curve.record(4, 110, 9);
  ASSERT_NE(curve.trusted(4), nullptr);
  EXPECT_EQ(curve.trusted(4)->first_throughput, 100);
  EXPECT_EQ(curve.trusted(4)->last_throughput, 110);
  EXPECT_EQ(curve.trusted(4)->mean_throughput, 105);
  EXPECT_EQ(curve.trusted(4)->last_time, 9U);
  EXPECT_EQ(curve.trusted(2), nullptr);
}

TEST(ThroughputCurve, keeps_the_mean_of_the_first_samples_while_throughput_drifts_away) {
  ThroughputCurve curve;
  for (int i = 0; i < ThroughputCurve::kSamplesInMean; ++i) curve.record(1, 100, 0);
  for (int i = 0; i < 1000; ++i) curve.record(1, 200, 0);
  EXPECT_EQ(curve.trusted(1)->mean_throughput, 100);
}

TEST(ThroughputCurve, trusts_nothing_after_being_told_so) {
  auto curve = curve_of({{1, 1}, {2, 2}, {4, 4}});
  curve.untrust_outside(2, 3);
  EXPECT_EQ(curve.trusted(1), nullptr);
  EXPECT_NE(curve.trusted(2), nullptr);
  EXPECT_EQ(curve.trusted(4), nullptr);
  curve.untrust_all();
  EXPECT_TRUE(curve.empty());
}

TEST(ThroughputCurve, knows_its_lowest_highest_and_best_level) {
  const auto curve = curve_of({{4, 101}, {1, 50}, {8, 99}});
  EXPECT_EQ(curve.lowest().level, 1);
  EXPECT_EQ(curve.highest().level, 8);
  EXPECT_EQ(curve.best().level, 4);
}

TEST(ThroughputCurve, may_rise_after_its_first_level_and_after_every_gain) {
  EXPECT_TRUE(curve_of({{1, 100}}).may_rise_beyond_highest(0.05));
  EXPECT_TRUE(curve_of({{1, 100}, {2, 106}}).may_rise_beyond_highest(0.05));
}

TEST(ThroughputCurve, may_rise_after_one_level_without_a_gain_but_not_after_two) {
  EXPECT_TRUE(curve_of({{1, 100}, {2, 103}}).may_rise_beyond_highest(0.05));
  EXPECT_FALSE(curve_of({{1, 100}, {2, 103}, {4, 104}}).may_rise_beyond_highest(0.05));
}

TEST(ThroughputCurve, adds_up_small_gains_over_two_levels) {
  EXPECT_TRUE(curve_of({{1, 100}, {2, 104}, {4, 108}}).may_rise_beyond_highest(0.05));
}

TEST(ThroughputCurve, does_not_rise_after_a_loss) {
  EXPECT_FALSE(curve_of({{1, 100}, {2, 94}}).may_rise_beyond_highest(0.05));
}

}  // namespace
}  // namespace penstock
