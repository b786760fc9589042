#include "penstock/elastic/level_series.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace penstock {
namespace {

using elastic::LevelSeries;
using elastic::ThreadRange;

std::vector<int> upwards(const LevelSeries& series) {
  std::vector<int> levels{series.least()};
  while (const auto next = series.above(levels.back())) levels.push_back(*next);
  return levels;
}

std::vector<int> downwards(const LevelSeries& series) {
  std::vector<int> levels{series.most()};
  while (const auto next = series.below(levels.back())) levels.push_back(*next);
  return levels;
}

std::string complaint(std::vector<int> levels, ThreadRange range) {
  try {
    LevelSeries(std::move(levels), range);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(LevelSeries, doubles_upwards_and_ends_at_the_most) {
  const LevelSeries series({}, {.least = 1, .most = 11});
  EXPECT_EQ(upwards(series), (std::vector{1, 2, 4, 8, 11}));
  EXPECT_EQ(series.climb(), 4);
}

TEST(LevelSeries, halves_downwards_and_ends_at_the_least) {
  EXPECT_EQ(downwards(LevelSeries({}, {.least = 3, .most = 11})), (std::vector{11, 6, 3}));
}

TEST(LevelSeries, walks_a_list_without_leaving_it) {
  const LevelSeries series({1, 2, 3, 10, 40, 41}, {.least = 1, .most = 41});
  EXPECT_EQ(upwards(series), (std::vector{1, 2, 3, 10, 40, 41}));
  EXPECT_EQ(downwards(series), (std::vector{41, 40, 10, 3, 2, 1}));
}

TEST(LevelSeries, finds_the_nearest_level_strictly_between_two) {
  const LevelSeries series({1, 2, 4, 6, 8}, {.least = 1, .most = 8});
  EXPECT_EQ(series.between(2, 8, 5.5), 6);
  EXPECT_EQ(series.between(2, 6, 6.0), 4);
  EXPECT_EQ(series.between(1, 2, 1.5), std::nullopt);
}

TEST(LevelSeries, keeps_only_the_listed_levels_within_the_range) {
  EXPECT_EQ(upwards(LevelSeries({1, 2, 4, 8, 16}, {.least = 3, .most = 9})), (std::vector{4, 8}));
}

TEST(LevelSeries, gives_a_PE_the_threads_it_needs_even_outside_the_list) {
  const auto series =
      LevelSeries({1, 2, 4}, {.least = 1, .most = 4}).within({.least = 6, .most = 6});
  EXPECT_EQ(upwards(series), std::vector{6});
  EXPECT_EQ(series.nearest(4), 6);
}

TEST(LevelSeries, remembers_the_list_when_the_range_grows_again) {
  const auto series = LevelSeries({1, 2, 4}, {.least = 1, .most = 4})
                          .within({.least = 6, .most = 6})
                          .within({.least = 1, .most = 4});
  EXPECT_EQ(upwards(series), (std::vector{1, 2, 4}));
}

TEST(LevelSeries, says_which_value_is_impossible_and_what_is_allowed) {
  EXPECT_EQ(complaint({1, 0}, {.least = 1, .most = 4}),
            "levels[1] is 0; a level is between 1 and 65536 threads");
  EXPECT_EQ(complaint({1, 4, 4}, {.least = 1, .most = 4}),
            "levels[2] is 4 after 4; levels must rise, so sort them and drop doubles");
  EXPECT_EQ(complaint({}, {.least = 5, .most = 4}),
            "minimum 5 and maximum 4 must satisfy 1 <= minimum <= maximum <= 65536");
  EXPECT_EQ(complaint({1, 16}, {.least = 2, .most = 8}),
            "none of the levels, 1 to 16, is between the minimum 2 and the maximum 8; change the "
            "list or the limits");
}

}  // namespace
}  // namespace penstock
