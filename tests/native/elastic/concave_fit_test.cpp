#include "penstock/elastic/concave_fit.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace penstock {
namespace {

using elastic::concave_fit;
using elastic::FitPoint;

constexpr double kNear = 1e-5;

void expect_fit(const std::vector<FitPoint>& points, const std::vector<double>& expected) {
  const auto fit = concave_fit(points);
  ASSERT_EQ(fit.size(), expected.size());
  for (std::size_t i = 0; i < fit.size(); ++i) EXPECT_NEAR(fit[i], expected[i], kNear) << i;
}

TEST(ConcaveFit, keeps_points_that_are_concave_already) {
  expect_fit({{.x = 0, .y = 0}, {.x = 1, .y = 3}, {.x = 2, .y = 4}, {.x = 5, .y = 1}},
             {0, 3, 4, 1});
}

TEST(ConcaveFit, keeps_one_point_and_two) {
  expect_fit({}, {});
  expect_fit({{.x = 1, .y = 7}}, {7});
  expect_fit({{.x = 1, .y = 7}, {.x = 2, .y = 3}}, {7, 3});
}

TEST(ConcaveFit, lays_the_best_line_through_three_points_that_bend_the_wrong_way) {
  expect_fit({{.x = 0, .y = 1}, {.x = 1, .y = -2}, {.x = 2, .y = 1}}, {0, 0, 0});
}

TEST(ConcaveFit, moves_a_point_the_less_the_more_samples_it_has) {
  // The line leaves errors of 1/weight times 1, -2, 1, up to a factor.
  expect_fit({{.x = 0, .y = 6}, {.x = 1, .y = 0, .weight = 4}, {.x = 2, .y = 6}}, {2, 2, 2});
}

TEST(ConcaveFit, takes_distances_into_account) {
  const auto fit = concave_fit(std::vector<FitPoint>{
      {.x = 0, .y = 0}, {.x = 1, .y = 0}, {.x = 4, .y = 8}, {.x = 5, .y = 0}});
  const double left = (fit[1] - fit[0]) / 1;
  const double right = (fit[2] - fit[1]) / 3;
  EXPECT_NEAR(left, right, kNear);
  EXPECT_NEAR(fit[3], 0, kNear);
}

TEST(ConcaveFit, never_bends_upwards_whatever_the_points_are) {
  std::vector<FitPoint> points;
  // A hash for noise: the same on every machine.
  unsigned state = 1;
  for (int i = 0; i < 15; ++i) {
    state = state * 1664525U + 1013904223U;
    points.push_back(
        {.x = i + 0.001 * (state % 700), .y = 0.01 * (state >> 20U), .weight = 1.0 + i % 3});
  }
  const auto fit = concave_fit(points);
  for (std::size_t i = 1; i + 1 < fit.size(); ++i) {
    const double before = (fit[i] - fit[i - 1]) / (points[i].x - points[i - 1].x);
    const double after = (fit[i + 1] - fit[i]) / (points[i + 1].x - points[i].x);
    EXPECT_LE(after, before + 1e-3) << i;
  }
}

}  // namespace
}  // namespace penstock
