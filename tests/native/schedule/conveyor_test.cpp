#include "penstock/schedule/conveyor.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "penstock/schedule/fused_line.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::Conveyor;
using schedule::Doorbell;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::step;
using support::TestLine;

TEST(Conveyor, one_step_carries_a_run_through_all_stations) {
  TestLine line("slls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  const auto& run = load_one(conveyor);
  EXPECT_TRUE(step(conveyor));
  EXPECT_EQ(run.visited, line.all_stations());
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
  EXPECT_FALSE(step(conveyor));
}

TEST(Conveyor, nothing_can_be_collected_before_it_is_through) {
  TestLine line("s");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  (void)load_one(conveyor);
  EXPECT_FALSE(conveyor.collectable());
  EXPECT_EQ(conveyor.under_way(), 1U);
  step(conveyor);
  EXPECT_TRUE(conveyor.collectable());
}

TEST(Conveyor, no_more_runs_are_under_way_than_the_window_has) {
  TestLine line("ls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 3, doorbell);
  for (int i = 0; i < 3; ++i) (void)load_one(conveyor);
  EXPECT_EQ(conveyor.try_admit(), nullptr);
  step(conveyor);
  EXPECT_EQ(conveyor.try_admit(), nullptr) << "a run that was not collected keeps its place";
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
  EXPECT_NE(conveyor.try_admit(), nullptr);
}

TEST(Conveyor, a_run_carried_out_of_turn_waits_at_the_first_serial_station) {
  TestLine line("lsls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  auto* const first = conveyor.try_admit();
  auto* const second = conveyor.try_admit();
  conveyor.carry(second);
  EXPECT_EQ(second->visited, (std::vector<int>{0})) << "stateless stations need no turn";
  EXPECT_FALSE(step(conveyor)) << "a waiting run is not ready";
  conveyor.carry(first);
  EXPECT_EQ(first->visited, line.all_stations());
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
  EXPECT_TRUE(step(conveyor)) << "the baton made it ready";
  EXPECT_EQ(second->visited, line.all_stations());
  EXPECT_EQ(line.passed(1), (Serials{0, 1}));
  EXPECT_EQ(collect_all(conveyor), (Serials{1}));
}

TEST(Conveyor, who_completes_a_run_goes_on_with_the_one_that_waited_behind_it) {
  TestLine line("s");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 3, doorbell);
  auto* const first = conveyor.try_admit();
  auto* const second = conveyor.try_admit();
  auto* const third = conveyor.try_admit();
  conveyor.carry(third);
  conveyor.carry(second);
  conveyor.carry(first);
  EXPECT_EQ(line.passed(0), (Serials{0, 1, 2}));
  EXPECT_EQ(collect_all(conveyor), (Serials{0, 1, 2}));
}

TEST(Conveyor, runs_come_out_in_order_for_every_order_of_carrying) {
  for (unsigned order = 0; order < 24; ++order) {
    TestLine line("slss");
    Doorbell<> doorbell;
    Conveyor<TestLine> conveyor(line, 4, doorbell);
    std::vector<TestLine::Run*> runs;
    for (int i = 0; i < 4; ++i) runs.push_back(conveyor.try_admit());
    for (unsigned left = 4, code = order; left > 0; code /= left--) {
      const auto chosen = runs.begin() + code % left;
      conveyor.carry(*chosen);
      runs.erase(chosen);
    }
    while (step(conveyor)) {
    }
    EXPECT_EQ(collect_all(conveyor), (Serials{0, 1, 2, 3})) << "order " << order;
    EXPECT_EQ(line.passed(0), (Serials{0, 1, 2, 3})) << "order " << order;
    EXPECT_EQ(line.passed(2), (Serials{0, 1, 2, 3})) << "order " << order;
  }
}

TEST(Conveyor, goes_on_for_many_laps_of_its_window) {
  TestLine line("sls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 3, doorbell);
  Serials expected;
  Serials collected;
  for (std::uint64_t serial = 0; serial < 100; ++serial) {
    (void)load_one(conveyor);
    step(conveyor);
    expected.push_back(serial);
    for (const auto done : collect_all(conveyor)) collected.push_back(done);
  }
  EXPECT_EQ(collected, expected);
}

using ConveyorDeathTest = testing::Test;

TEST(ConveyorDeathTest, a_line_that_lets_runs_leave_in_any_order_is_refused) {
  TestLine line("sl");
  Doorbell<> doorbell;
  EXPECT_DEATH(Conveyor<TestLine>(line, 1, doorbell), "runs must leave a conveyor in order");
}

TEST(Conveyor, stations_can_be_fused_between_two_runs) {
  TestLine line("slss");
  schedule::FusedLine<TestLine> fused(line);
  Doorbell<> doorbell;
  Conveyor<schedule::FusedLine<TestLine>> conveyor(fused, 2, doorbell);
  (void)load_one(conveyor);
  step(conveyor);
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
  fused.arrange({0, 2});
  conveyor.rearrange();
  const auto& run = load_one(conveyor);
  (void)load_one(conveyor);
  while (step(conveyor)) {
  }
  EXPECT_EQ(run.visited, line.all_stations());
  EXPECT_EQ(collect_all(conveyor), (Serials{1, 2}));
}

TEST(Conveyor, the_feeder_can_carry_alone_and_share_again) {
  TestLine line("sls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  for (std::uint64_t serial = 0; serial < 3; ++serial) {
    conveyor.carry_alone(*conveyor.try_admit());
    EXPECT_EQ(collect_all(conveyor), (Serials{serial}));
  }
  conveyor.rearrange();
  (void)load_one(conveyor);
  EXPECT_TRUE(step(conveyor));
  EXPECT_EQ(collect_all(conveyor), (Serials{3}));
  EXPECT_EQ(line.passed(2), (Serials{0, 1, 2, 3}));
}

TEST(ConveyorDeathTest, stations_do_not_change_under_a_run) {
  TestLine line("s");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  (void)load_one(conveyor);
  EXPECT_DEATH(conveyor.rearrange(), "no run is between them");
}

TEST(Conveyor, a_worker_leaves_a_run_before_the_lane_for_the_feeder) {
  TestLine line("lLs");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  const auto& run = load_one(conveyor);
  EXPECT_TRUE(step(conveyor));
  EXPECT_EQ(run.visited, (std::vector<int>{0}));
  EXPECT_FALSE(step(conveyor)) << "only the feeder finds it";
  conveyor.carry(conveyor.try_take(true));
  EXPECT_EQ(collect_all(conveyor), (Serials{0}));
}

TEST(Conveyor, a_run_whose_turn_comes_waits_in_the_lane_and_keeps_its_turn) {
  TestLine line("lSs");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  (void)load_one(conveyor);
  (void)load_one(conveyor);
  while (step(conveyor)) {
  }
  while (auto* const run = conveyor.try_take(true)) conveyor.carry(run);
  EXPECT_EQ(line.passed(1), (Serials{0, 1}));
  EXPECT_EQ(collect_all(conveyor), (Serials{0, 1}));
}

TEST(Conveyor, the_feeder_stays_in_the_lane_while_runs_wait_there) {
  TestLine line("lLls");
  Doorbell<> doorbell;
  Conveyor<TestLine> conveyor(line, 2, doorbell);
  const auto& first = load_one(conveyor);
  const auto& second = load_one(conveyor);
  while (step(conveyor)) {
  }
  conveyor.carry(conveyor.try_take(true));
  EXPECT_EQ(first.visited, (std::vector<int>{0, 1})) << "a worker can do the rest";
  EXPECT_EQ(second.visited, (std::vector<int>{0, 1, 2})) << "it waits for the first one";
  EXPECT_TRUE(step(conveyor));
  EXPECT_EQ(collect_all(conveyor), (Serials{0, 1}));
}

}  // namespace
}  // namespace penstock
