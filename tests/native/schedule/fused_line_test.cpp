#include "penstock/schedule/fused_line.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "penstock/schedule/station_costs.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::FusedLine;
using schedule::StationCosts;
using support::TestLine;

static_assert(schedule::RunnableLine<FusedLine<TestLine>>);

std::vector<int> visited_at(FusedLine<TestLine>& fused, int stop) {
  TestLine::Run run;
  run.serial = 1;
  fused.work(stop, run);
  return run.visited;
}

TEST(FusedLine, every_station_is_a_stop_at_first) {
  TestLine line("sls");
  FusedLine<TestLine> fused(line);
  EXPECT_EQ(fused.stations(), 3);
  EXPECT_EQ(visited_at(fused, 1), (std::vector<int>{1}));
}

TEST(FusedLine, a_stop_works_through_its_stations_in_order) {
  TestLine line("slsss");
  FusedLine<TestLine> fused(line);
  fused.arrange({0, 1, 3});
  EXPECT_EQ(fused.stations(), 3);
  EXPECT_EQ(visited_at(fused, 0), (std::vector<int>{0}));
  EXPECT_EQ(visited_at(fused, 1), (std::vector<int>{1, 2}));
  EXPECT_EQ(visited_at(fused, 2), (std::vector<int>{3, 4}));
}

TEST(FusedLine, a_stop_is_serial_when_one_of_its_stations_is) {
  TestLine line("llsls");
  FusedLine<TestLine> fused(line);
  fused.arrange({0, 2, 3});
  EXPECT_FALSE(fused.serial(0));
  EXPECT_TRUE(fused.serial(1));
  EXPECT_TRUE(fused.serial(2));
}

TEST(FusedLine, a_stop_is_in_the_lane_when_one_of_its_stations_is) {
  TestLine line("lLs");
  FusedLine<TestLine> fused(line);
  EXPECT_FALSE(fused.in_lane(0));
  EXPECT_TRUE(fused.in_lane(1));
  fused.arrange({0, 2});
  EXPECT_TRUE(fused.in_lane(0));
  EXPECT_FALSE(fused.in_lane(1));
}

TEST(FusedLine, working_through_visits_every_station) {
  TestLine line("sslls");
  FusedLine<TestLine> fused(line);
  fused.arrange({0, 3});
  TestLine::Run run;
  fused.work_through(run);
  EXPECT_EQ(run.visited, line.all_stations());
}

// Stations 2 and 3 are bound to the one before them.
class BoundLine : public TestLine {
 public:
  using TestLine::TestLine;
  [[nodiscard]] static bool bound(int station) noexcept { return station == 2 || station == 3; }
};

TEST(FusedLine, bound_stations_share_a_stop) {
  BoundLine line("lllls");
  FusedLine<BoundLine> fused(line);
  EXPECT_EQ(fused.stations(), 3);
}

TEST(FusedLineDeathTest, bound_stations_cannot_be_divided) {
  BoundLine line("lllls");
  FusedLine<BoundLine> fused(line);
  EXPECT_DEATH(fused.arrange({0, 2}), "bound together");
}

TEST(FusedLineDeathTest, stops_rise_from_the_first_station) {
  TestLine line("ss");
  FusedLine<TestLine> fused(line);
  EXPECT_DEATH(fused.arrange({1}), "the first stop begins the line");
  EXPECT_DEATH(fused.arrange({0, 1, 1}), "stops rise");
  EXPECT_DEATH(fused.arrange({}), "the first stop begins the line");
}

TEST(StationCosts, add_up_by_station) {
  StationCosts<> costs(2);
  costs.add(1, std::chrono::nanoseconds(5));
  costs.add(1, std::chrono::nanoseconds(7));
  EXPECT_EQ(costs.totals(), (std::vector<double>{0, 12}));
}

TEST(StationCosts, a_fused_line_times_some_of_the_runs) {
  TestLine line("ss");
  FusedLine<TestLine> fused(line);
  TestLine::Run run;
  run.serial = StationCosts<>::kEvery + 1;
  fused.work_through(run);
  EXPECT_EQ(fused.costs().totals(), (std::vector<double>{0, 0}));
  run.serial = StationCosts<>::kEvery;
  for (int i = 0; i < 100; ++i) fused.work_through(run);
  const auto totals = fused.costs().totals();
  EXPECT_GT(std::accumulate(totals.begin(), totals.end(), 0.0), 0);
}

// Pauses once in each run at every station.
class Halting : public TestLine {
 public:
  using TestLine::TestLine;
  [[nodiscard]] bool work_some(int station, Run& run) noexcept {
    if ((paused_ = !paused_)) return false;
    work(station, run);
    return true;
  }

 private:
  bool paused_ = false;
};

TEST(FusedLine, a_stop_goes_on_at_the_station_at_which_it_paused) {
  Halting line("sss");
  FusedLine<Halting> fused(line);
  fused.arrange({0});
  for (const std::uint64_t serial : {0U, 1U}) {  // timed, and not
    Halting::Run run;
    run.serial = serial;
    for (int slice = 0; slice < 3; ++slice) EXPECT_FALSE(fused.work_some(0, run));
    EXPECT_TRUE(fused.work_some(0, run));
    EXPECT_EQ(run.visited, line.all_stations());
  }
}

}  // namespace
}  // namespace penstock
