#include "penstock/elastic/level_search.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using elastic::LevelSearch;
using elastic::LevelSeries;
using elastic::Reason;
using elastic::SearchStep;
using elastic::ThroughputCurve;

using Points = std::vector<std::pair<int, double>>;

SearchStep step_after(const Points& points, int current, int most = 16, int least = 1) {
  ThroughputCurve curve;
  for (const auto& [level, throughput] : points) curve.record(level, throughput, 0);
  return LevelSearch(0.05).next(LevelSeries({}, {.least = least, .most = most}), curve, current);
}

void expect_step(const SearchStep& step, int level, Reason reason) {
  EXPECT_EQ(step.level, level);
  EXPECT_EQ(name(step.reason), name(reason));
}

TEST(LevelSearch, rule_1_goes_up_after_a_rise_when_the_level_above_is_not_trusted) {
  expect_step(step_after({{1, 100}, {2, 106}}, 2), 4, Reason::kRising);
}

TEST(LevelSearch, rule_2_goes_up_to_a_level_known_to_be_better) {
  expect_step(step_after({{1, 100}, {2, 190}, {3, 180}, {4, 170}}, 1, 4), 2, Reason::kBetterAbove);
}

TEST(LevelSearch, rule_3_starts_by_going_up) {
  expect_step(step_after({{1, 100}}, 1), 2, Reason::kNothingAbove);
}

// A8: the paper's `level == 1` never holds above a higher least level.
TEST(LevelSearch, rule_3_holds_at_any_least_level) {
  expect_step(step_after({{3, 100}}, 3, 16, 3), 6, Reason::kNothingAbove);
}

TEST(LevelSearch, rule_4_goes_down_when_the_lowest_level_known_is_the_best) {
  expect_step(step_after({{8, 100}, {16, 90}}, 16), 4, Reason::kNothingBelow);
}

TEST(LevelSearch, rule_5_goes_down_to_fewer_threads_that_do_as_well) {
  expect_step(step_after({{1, 100}, {2, 100}, {4, 100}, {4, 100}, {1, 100}}, 4, 4), 1,
              Reason::kNoGain);
}

TEST(LevelSearch, rule_6_stays_when_no_neighbour_is_better) {
  expect_step(step_after({{1, 100}, {2, 190}, {2, 190}, {3, 180}, {4, 170}}, 2, 4), 2,
              Reason::kSettled);
}

TEST(LevelSearch, goes_one_level_past_the_first_one_without_a_gain) {
  expect_step(step_after({{1, 100}, {2, 102}}, 2), 4, Reason::kNotYetFalling);
}

// A9: at the most level the paper reads a record that does not exist and increases beyond it.
TEST(LevelSearch, never_goes_above_the_most_level) {
  expect_step(step_after({{1, 100}, {2, 200}, {2, 200}}, 2, 2), 2, Reason::kSettled);
}

// A9: at the least level the paper decreases to nothing.
TEST(LevelSearch, never_goes_below_the_least_level) {
  expect_step(step_after({{1, 100}, {1, 100}, {2, 50}}, 1, 2), 1, Reason::kSettled);
}

TEST(LevelSearch, bisects_above_a_peak_that_may_be_higher_than_the_best_level_known) {
  expect_step(step_after({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 6}}, 16), 12, Reason::kRefineAbove);
}

TEST(LevelSearch, looks_below_only_where_a_linear_speed_up_would_reach) {
  // 4 yields 4, so 9 take at least 9 threads: the middle of 9 and 16 is tried, not that of 4
  // and 16.
  expect_step(step_after({{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 9}}, 16), 12, Reason::kRefineBelow);
  expect_step(step_after({{1, 1}, {2, 2}, {4, 4}, {16, 9}}, 16), 12, Reason::kRefineBelow);
}

TEST(LevelSearch, leaves_a_gap_alone_that_cannot_hide_a_gain) {
  expect_step(step_after({{64, 64}, {64, 64}, {66, 60}, {68, 50}}, 64, 68, 60), 60,
              Reason::kNothingBelow);
  expect_step(step_after({{61, 61}, {64, 64}, {64, 64}, {66, 60}, {68, 50}}, 64, 68, 60), 64,
              Reason::kSettled);
}

TEST(LevelSearch, measures_the_best_level_twice_before_settling_on_it) {
  expect_step(step_after({{1, 100}, {2, 190}, {3, 180}, {4, 170}}, 2, 4), 2, Reason::kMeasureAgain);
}

TEST(LevelSearch, measures_the_best_level_twice_before_looking_for_a_small_gain_beside_it) {
  const Points once{{8, 70}, {16, 160}, {20, 130}, {24, 100}};
  expect_step(step_after(once, 24, 24), 16, Reason::kMeasureAgain);
  Points twice = once;
  twice.emplace_back(16, 160);
  expect_step(step_after(twice, 16, 24), 18, Reason::kRefineAbove);
}

TEST(LevelSearch, stays_low_on_a_stream_that_does_not_flow) {
  expect_step(step_after({{1, 0}, {2, 0}, {4, 0}}, 4), 1, Reason::kNoGain);
}

}  // namespace
}  // namespace penstock
