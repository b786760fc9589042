// Lines that come back from a station before they are done with a run (C12).

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/schedule/port_line.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::Doorbell;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::step;
using support::TestLine;

// Pauses once in each run at one station.
class PausesAt : public TestLine {
 public:
  PausesAt(std::string kinds, int station) : TestLine(std::move(kinds)), pauses_at_(station) {}
  [[nodiscard]] bool work_some(int station, Run& run) noexcept {
    if (station == pauses_at_ && (paused_ = !paused_)) return false;
    work(station, run);
    return true;
  }

 private:
  int pauses_at_;
  bool paused_ = false;
};

TEST(PortLine, a_paused_run_stays_at_the_front_of_its_port_for_whoever_comes) {
  PausesAt line("sss", 1);
  Doorbell<> doorbell;
  schedule::PortLine<PausesAt> ports(line, {.window = 8, .capacity = 4}, doorbell);
  for (int i = 0; i < 2; ++i) (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0, 1}));
  EXPECT_EQ(line.passed(1), Serials{}) << "the first one pauses";
  EXPECT_EQ(ports.waiting_hint(1), 2U);
  while (step(ports)) {
  }
  EXPECT_EQ(line.passed(1), (Serials{0, 1}));
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

TEST(Conveyor, a_paused_run_keeps_its_turn_and_lets_those_before_it_be_carried) {
  PausesAt line("sss", 0);
  Doorbell<> doorbell;
  schedule::Conveyor<PausesAt> conveyor(line, 4, doorbell);
  for (int i = 0; i < 3; ++i) (void)load_one(conveyor);
  conveyor.carry(conveyor.try_take());
  EXPECT_EQ(line.passed(0), Serials{}) << "the first one pauses";
  conveyor.carry(conveyor.try_take());
  EXPECT_EQ(line.passed(0), Serials{}) << "the second one has to wait for it";
  while (auto* const run = conveyor.try_take()) conveyor.carry(run);
  EXPECT_EQ(line.passed(0), (Serials{0, 1, 2}));
  EXPECT_EQ(collect_all(conveyor), (Serials{0, 1, 2}));
}

TEST(Conveyor, whoever_carried_a_run_that_pauses_is_free_for_another) {
  PausesAt line("sss", 1);
  Doorbell<> doorbell;
  schedule::Conveyor<PausesAt> conveyor(line, 4, doorbell);
  auto* const first = &load_one(conveyor);
  auto* const second = &load_one(conveyor);
  conveyor.carry(conveyor.try_take());
  EXPECT_EQ(line.passed(0), Serials{0});
  EXPECT_EQ(conveyor.try_take(), second) << "the paused one is behind it";
  EXPECT_EQ(conveyor.try_take(), first);
}

TEST(PortLine, a_run_may_pause_at_the_last_station) {
  PausesAt line("ss", 1);
  Doorbell<> doorbell;
  schedule::PortLine<PausesAt> ports(line, {.window = 2, .capacity = 2}, doorbell);
  for (int i = 0; i < 2; ++i) (void)load_one(ports);
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

}  // namespace
}  // namespace penstock
