#include "penstock/elastic/curve_shape.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <utility>
#include <vector>

namespace penstock {
namespace {

using elastic::CurveShape;
using elastic::ThroughputCurve;

CurveShape shape_of(const std::vector<std::pair<int, double>>& points) {
  ThroughputCurve curve;
  std::uint64_t time = 0;
  for (const auto& [level, throughput] : points) curve.record(level, throughput, time++);
  return {curve, 0.05};
}

TEST(CurveShape, lets_neighbours_correct_a_lucky_sample) {
  const auto shape = shape_of({{1, 100}, {2, 193}, {4, 400}, {8, 800}});
  EXPECT_GT(shape.estimates()[1].throughput, 195);
  EXPECT_EQ(shape.estimates()[1].mean, 193);
}

TEST(CurveShape, corrects_by_no_more_than_the_sensitivity) {
  // Twice as deep as concave allows: a plant like that is believed.
  const auto shape = shape_of({{1, 100}, {2, 50}, {4, 100}});
  EXPECT_DOUBLE_EQ(shape.estimates()[1].throughput, 52.5);
  EXPECT_DOUBLE_EQ(shape.estimates()[0].throughput, 95);
}

TEST(CurveShape, chooses_the_peak) {
  EXPECT_EQ(shape_of({{1, 10}, {2, 20}, {4, 40}, {8, 30}, {16, 20}}).choice().level, 4);
  EXPECT_EQ(shape_of({{1, 10}, {2, 20}, {4, 40}, {8, 80}, {16, 160}}).choice().level, 16);
}

TEST(CurveShape, chooses_few_threads_on_a_plateau_but_not_the_very_fewest) {
  EXPECT_EQ(shape_of({{64, 64}, {80, 80}, {88, 80}, {96, 80}, {128, 80}}).choice().level, 88);
  EXPECT_EQ(shape_of({{1, 100}, {2, 100}, {4, 100}}).choice().level, 1);
}

TEST(CurveShape, chooses_the_middle_of_a_narrow_peak) {
  EXPECT_EQ(shape_of({{90, 90}, {97, 99.5}, {100, 99}, {103, 100}, {110, 95}}).choice().level, 100);
}

TEST(CurveShape, never_chooses_a_level_between_good_ones_that_is_bad_itself) {
  EXPECT_NE(shape_of({{32, 64}, {34, 1}, {37, 64}}).choice().level, 34);
}

TEST(CurveShape, bounds_a_gap_by_a_linear_speed_up) {
  const auto shape = shape_of({{10, 100}, {20, 150}, {40, 150}});
  EXPECT_LT(shape.most_at(15), 100 * 1.5 * 1.07);
  EXPECT_GT(shape.most_at(15), 100 * 1.5);
}

TEST(CurveShape, bounds_a_gap_by_the_lines_on_both_sides_of_it) {
  const auto rise_and_fall = shape_of({{16, 16}, {32, 32}, {128, 32}, {184, 15}});
  // The lines meet at 64, each with its error.
  EXPECT_NEAR(rise_and_fall.most_at(64), 64, 12);
  EXPECT_LT(rise_and_fall.most_at(40), 40 * 1.2);
  EXPECT_LT(rise_and_fall.most_at(110), 50);
}

TEST(CurveShape, expects_less_of_a_level_with_every_sample) {
  const auto once = shape_of({{1, 100}, {2, 100}});
  const auto often = shape_of({{1, 100}, {2, 100}, {2, 100}, {2, 100}, {2, 100}});
  EXPECT_NEAR(once.most_at(2), 100 * std::exp(0.05), 1e-9);
  EXPECT_NEAR(often.most_at(2), 100 * std::exp(0.025), 1e-9);
}

TEST(CurveShape, doubts_the_oldest_of_three_levels_that_contradict_each_other) {
  EXPECT_EQ(shape_of({{8, 8}, {16, 16}, {32, 16}, {64, 32}}).doubtful(), std::optional{1U});
  EXPECT_EQ(shape_of({{16, 16}, {8, 8}, {64, 32}, {32, 16}}).doubtful(), std::optional{1U});
}

TEST(CurveShape, doubts_nothing_that_fits_or_was_measured_again) {
  EXPECT_EQ(shape_of({{8, 8}, {16, 16}, {32, 32}, {64, 40}, {128, 20}}).doubtful(), std::nullopt);
  EXPECT_EQ(shape_of({{16, 16}, {32, 16}, {64, 32}, {16, 16}, {32, 16}, {64, 32}}).doubtful(),
            std::nullopt);
}

TEST(CurveShape, doubts_nothing_far_below_the_best) {
  EXPECT_EQ(shape_of({{1, 0.01}, {2, 0.01}, {4, 1}, {8, 10}, {16, 100}}).doubtful(), std::nullopt);
}

TEST(CurveShape, knows_numbers_of_any_size) {
  EXPECT_EQ(shape_of({{1, 5e-324}, {2, 0}, {4, 0}}).choice().level, 1);
  EXPECT_EQ(shape_of({{1, 1e300}, {2, 2e300}, {4, 1e300}}).choice().level, 2);
}

}  // namespace
}  // namespace penstock
