#include "penstock/elastic/level_search.hpp"

#include <cstdint>
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

SearchStep step_after(const Points& points, int current, int most = 16, int least = 1,
                      bool doubts = false, int remaining = 10) {
  ThroughputCurve curve;
  std::uint64_t time = 0;
  for (const auto& [level, throughput] : points) curve.record(level, throughput, time++);
  return LevelSearch(0.05, doubts)
      .next(LevelSeries({}, {.least = least, .most = most}), curve, current, remaining);
}

void expect_step(const SearchStep& step, int level, Reason reason) {
  EXPECT_EQ(step.level, level);
  EXPECT_EQ(name(step.reason), name(reason));
}

TEST(LevelSearch, rule_1_goes_up_after_a_rise_when_the_level_above_is_not_trusted) {
  expect_step(step_after({{1, 100}, {2, 106}}, 2), 4, Reason::kRising);
}

TEST(LevelSearch, rule_2_goes_up_to_a_level_known_to_be_better) {
  expect_step(step_after({{1, 100}, {2, 190}, {3, 170}, {4, 150}}, 1, 4), 2, Reason::kBetterAbove);
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
  expect_step(step_after({{1, 100}, {1, 100}, {1, 100}, {2, 100}, {2, 100}, {2, 100}}, 2, 2), 1,
              Reason::kNoGain);
}

TEST(LevelSearch, rule_6_stays_when_no_neighbour_is_better) {
  expect_step(step_after({{1, 100}, {2, 190}, {2, 190}, {3, 170}, {4, 150}}, 2, 4), 2,
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
  // 4 yield 4, so it takes about 9 to yield 9: not the middle of 4 and 16 is tried.
  const auto step = step_after({{1, 1}, {2, 2}, {4, 4}, {16, 9}}, 16);
  EXPECT_GE(step.level, 11);
  EXPECT_LE(step.level, 13);
  EXPECT_EQ(name(step.reason), name(Reason::kRefineBelow));
}

TEST(LevelSearch, goes_where_a_rise_and_a_fall_would_meet) {
  // n up to 50, then 2,500 / n.
  const Points kinked{{8, 8}, {16, 16}, {32, 32}, {64, 39}, {128, 19.5}, {184, 13.6}};
  const auto step = step_after(kinked, 184, 184);
  EXPECT_GE(step.level, 44);
  EXPECT_LE(step.level, 54);
}

TEST(LevelSearch, looks_into_the_wide_gap_before_the_narrow_one) {
  const Points points{{8, 8}, {16, 16}, {32, 32}, {96, 32}, {104, 29.5}, {112, 27.4}};
  const auto step = step_after(points, 112, 112);
  EXPECT_GT(step.level, 32);
  EXPECT_LT(step.level, 96);
}

TEST(LevelSearch, leaves_a_gap_alone_that_cannot_hide_a_gain) {
  expect_step(step_after({{64, 64}, {64, 64}, {66, 60}, {68, 50}}, 64, 68, 60), 60,
              Reason::kNothingBelow);
  expect_step(step_after({{8, 80}, {10, 40}, {12, 30}, {8, 80}}, 8, 12, 8), 8, Reason::kSettled);
}

TEST(LevelSearch, measures_the_best_level_twice_before_settling_on_it) {
  expect_step(step_after({{1, 100}, {2, 190}, {3, 170}, {4, 150}}, 2, 4), 2, Reason::kMeasureAgain);
}

TEST(LevelSearch, measures_a_level_again_that_may_only_have_had_bad_luck) {
  const Points close{{1, 100}, {2, 190}, {3, 187}, {4, 150}, {2, 190}};
  expect_step(step_after(close, 2, 4), 3, Reason::kMeasureRival);
  Points often = close;
  often.insert(often.end(), {{3, 180}, {3, 180}, {2, 190}});
  expect_step(step_after(often, 2, 4), 2, Reason::kSettled);
}

TEST(LevelSearch, checks_a_measurement_that_others_contradict) {
  // Half the load from 32 on.
  const Points halved{{8, 8}, {16, 16}, {32, 16}, {64, 32}};
  expect_step(step_after(halved, 64, 64, 1, true), 16, Reason::kDoubtful);
  EXPECT_NE(name(step_after(halved, 64, 64, 1, false).reason), name(Reason::kDoubtful));
}

TEST(LevelSearch, checks_the_level_below_its_choice_before_it_settles) {
  const Points climb{{1, 100}, {2, 200}, {4, 130}, {2, 200}, {3, 160}};
  expect_step(step_after(climb, 2, 4, 1, true), 1, Reason::kCheckBelow);
  Points checked = climb;
  checked.emplace_back(1, 100);
  expect_step(step_after(checked, 2, 4, 1, true), 2, Reason::kSettled);
}

TEST(LevelSearch, checks_the_level_below_its_choice_in_the_last_period_at_the_latest) {
  const Points plateau{{1, 10}, {2, 20}, {4, 40}, {8, 60}, {16, 60}};
  EXPECT_NE(name(step_after(plateau, 16, 16, 1, true, 2).reason), name(Reason::kCheckBelow));
  expect_step(step_after(plateau, 16, 16, 1, true, 1), 4, Reason::kCheckBelow);
}

TEST(LevelSearch, checks_nothing_below_a_rise_that_it_has_just_seen) {
  const Points fresh{{1, 10}, {2, 20}, {4, 40}, {8, 40}, {5, 50}, {4, 40}, {5, 50}, {6, 45}};
  EXPECT_NE(name(step_after(fresh, 5, 8, 1, true, 1).reason), name(Reason::kCheckBelow));
}

TEST(LevelSearch, stays_low_on_a_stream_that_does_not_flow) {
  expect_step(step_after({{1, 0}, {2, 0}, {4, 0}}, 4), 1, Reason::kNoGain);
}

}  // namespace
}  // namespace penstock
