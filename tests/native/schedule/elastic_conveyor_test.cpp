#include "penstock/schedule/elastic_conveyor.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::ElasticConveyor;
using schedule::Layout;
using schedule::WayLimits;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::TestLine;

TEST(ElasticConveyor, one_thread_carries_a_run_through_when_it_is_loaded) {
  TestLine line("sls");
  ElasticConveyor<TestLine> conveyor(line, WayLimits::alike(4), "test");
  const auto& run = load_one(conveyor);
  EXPECT_EQ(run.visited, line.all_stations());
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
}

TEST(ElasticConveyor, a_layout_waits_until_nothing_is_under_way) {
  TestLine line("ss");
  ElasticConveyor<TestLine> conveyor(line, WayLimits::alike(4), "test");
  (void)load_one(conveyor);
  const Layout wanted{.threads = 2, .firsts = {0}};
  conveyor.adopt(wanted);
  EXPECT_FALSE(conveyor.settled());
  EXPECT_EQ(conveyor.layout().threads, 1);
  EXPECT_EQ(conveyor.try_admit(), nullptr) << "nothing new while the old is under way";
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
  EXPECT_NE(conveyor.try_admit(), nullptr);
  EXPECT_TRUE(conveyor.settled());
  EXPECT_EQ(conveyor.layout(), wanted);
  EXPECT_EQ(conveyor.line().stations(), 1);
}

TEST(ElasticConveyor, a_layout_takes_effect_at_once_when_nothing_is_under_way) {
  TestLine line("ss");
  ElasticConveyor<TestLine> conveyor(line, WayLimits::alike(4), "test");
  conveyor.adopt({.threads = 3, .firsts = {0, 1}});
  EXPECT_TRUE(conveyor.settled());
  EXPECT_EQ(conveyor.crew().level(), 2);
}

TEST(ElasticConveyor, the_last_layout_asked_for_counts) {
  TestLine line("sss");
  ElasticConveyor<TestLine> conveyor(line, WayLimits::alike(4), "test");
  (void)load_one(conveyor);
  conveyor.adopt({.threads = 2, .firsts = {0}});
  conveyor.adopt({.threads = 2, .firsts = {0, 2}});
  (void)collect_all(conveyor);
  (void)conveyor.try_admit();
  EXPECT_EQ(conveyor.line().stations(), 2);
}

TEST(ElasticConveyor, more_runs_are_under_way_where_stations_have_queues) {
  TestLine line("ss");
  ElasticConveyor<TestLine> conveyor(line, {.belt = 2, .ports = {.window = 5, .capacity = 5}},
                                     "test");
  const auto runs_until_full = [&conveyor] {
    int runs = 0;
    while (auto* const run = conveyor.try_admit()) {
      run->visited.clear();
      conveyor.load(*run);
      ++runs;
    }
    while (conveyor.under_way() != 0) {
      if (conveyor.try_collect() == nullptr) conveyor.help();
    }
    return runs;
  };
  EXPECT_EQ(runs_until_full(), 2);
  conveyor.adopt({.threads = 2, .firsts = {0, 1}, .queues = true});
  EXPECT_EQ(runs_until_full(), 5);
  conveyor.adopt({.threads = 2, .firsts = {0, 1}});
  EXPECT_EQ(runs_until_full(), 2);
}

// One thread, three, fused or not, with queues and without, one after another: every run in order,
// through every station.
TEST(ElasticConveyor, runs_stay_in_order_through_every_change) {
  TestLine line("slssls");
  ElasticConveyor<TestLine> conveyor(line, {.belt = 6, .ports = {.window = 16, .capacity = 4}},
                                     "test");
  const std::vector<Layout> layouts{{.threads = 1, .firsts = {0}},
                                    {.threads = 3, .firsts = {0, 1, 2, 3, 4, 5}},
                                    {.threads = 2, .firsts = {0, 1, 2, 3, 4, 5}},
                                    {.threads = 4, .firsts = {0, 3}},
                                    {.threads = 3, .firsts = {0, 3}, .queues = true},
                                    {.threads = 2, .firsts = {0, 3}, .queues = true},
                                    {.threads = 1, .firsts = {0, 3}},
                                    {.threads = 2, .firsts = {0, 3}, .queues = true},
                                    {.threads = 2, .firsts = {0}}};
  constexpr std::uint64_t kRuns = 3000;
  std::uint64_t admitted = 0;
  for (std::uint64_t collected = 0; collected < kRuns;) {
    if (auto* const run = conveyor.try_collect()) {
      ASSERT_EQ(run->serial, collected++);
      ASSERT_EQ(run->visited, line.all_stations());
    } else if (auto* const empty = admitted < kRuns ? conveyor.try_admit() : nullptr) {
      empty->visited.clear();
      conveyor.load(*empty);
      if (++admitted % 7 == 0) conveyor.adopt(layouts[(admitted / 7) % layouts.size()]);
    } else {
      conveyor.help();
    }
  }
  for (const int station : {0, 2, 3, 5}) {
    ASSERT_EQ(line.passed(station).size(), kRuns);
    EXPECT_TRUE(std::ranges::is_sorted(line.passed(station)));
  }
}

}  // namespace
}  // namespace penstock
