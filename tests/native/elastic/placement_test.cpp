#include "penstock/elastic/placement.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace penstock {
namespace {

using elastic::place_stops;
using elastic::StationFacts;

std::vector<StationFacts> serial_stations(const std::vector<double>& costs) {
  std::vector<StationFacts> stations;
  for (const double cost : costs) stations.push_back({.cost = cost});
  return stations;
}

TEST(Placement, equal_stations_are_shared_out_evenly) {
  EXPECT_EQ(place_stops(serial_stations(std::vector<double>(8, 3.0)), 4),
            (std::vector<int>{0, 2, 4, 6}));
}

TEST(Placement, unknown_costs_are_taken_to_be_equal) {
  EXPECT_EQ(place_stops(serial_stations({0, 0, 0, 0}), 2), (std::vector<int>{0, 2}));
}

TEST(Placement, one_stop_takes_everything) {
  EXPECT_EQ(place_stops(serial_stations({1, 2, 3}), 1), (std::vector<int>{0}));
  EXPECT_EQ(place_stops(serial_stations({1, 2, 3}), 0), (std::vector<int>{0}));
}

TEST(Placement, a_heavy_station_stands_alone) {
  EXPECT_EQ(place_stops(serial_stations({1, 1, 10, 1, 1}), 3), (std::vector<int>{0, 2, 3}));
}

TEST(Placement, there_are_no_more_stops_than_stations) {
  EXPECT_EQ(place_stops(serial_stations({1, 1, 1}), 100), (std::vector<int>{0, 1, 2}));
}

TEST(Placement, stateless_neighbours_are_one_stop_of_their_own) {
  auto stations = serial_stations({1, 1, 1, 1, 1});
  stations[1].serial = stations[2].serial = false;
  EXPECT_EQ(place_stops(stations, 1), (std::vector<int>{0, 1, 3}));
}

TEST(Placement, bound_stations_are_not_divided) {
  auto stations = serial_stations({1, 1, 1, 1});
  stations[1].bound = stations[2].bound = true;
  EXPECT_EQ(place_stops(stations, 4), (std::vector<int>{0, 3}));
}

TEST(Placement, a_stateless_station_bound_to_a_serial_one_is_serial) {
  auto stations = serial_stations({1, 1, 1});
  stations[1].serial = false;
  stations[1].bound = true;
  EXPECT_EQ(place_stops(stations, 1), (std::vector<int>{0}));
}

// With n stops the heaviest cannot be lighter than a share, nor than the heaviest station.
TEST(Placement, no_stop_is_much_heavier_than_it_must_be) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto size = 1 + random() % 60;
    const int stops = 1 + static_cast<int>(random() % 20);
    std::vector<double> costs(size);
    double total = 0;
    for (auto& cost : costs) total += cost = 1 + static_cast<double>(random() % 100);
    const auto firsts = place_stops(serial_stations(costs), stops);
    ASSERT_EQ(firsts.front(), 0) << "seed " << seed;
    ASSERT_LE(firsts.size(), static_cast<std::size_t>(stops)) << "seed " << seed;
    const double heaviest_station = *std::ranges::max_element(costs);
    double heaviest = 0;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      const auto end = i + 1 < firsts.size() ? static_cast<std::size_t>(firsts[i + 1]) : size;
      ASSERT_LT(static_cast<std::size_t>(firsts[i]), end) << "seed " << seed;
      double cost = 0;
      for (auto station = static_cast<std::size_t>(firsts[i]); station < end; ++station) {
        cost += costs[station];
      }
      heaviest = std::max(heaviest, cost);
    }
    EXPECT_LE(heaviest, total / stops + heaviest_station) << "seed " << seed;
  }
}

TEST(Placement, stations_of_the_lane_have_stops_of_their_own) {
  EXPECT_EQ(place_stops({{.serial = false},
                         {.serial = false, .lane = true},
                         {.serial = false, .lane = true},
                         {.serial = false},
                         {.serial = true}},
                        4),
            (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(place_stops({{.cost = 1}, {.cost = 1, .lane = true}, {.cost = 1}}, 1),
            (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace penstock
