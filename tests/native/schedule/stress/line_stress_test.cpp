// Every scheduler on real threads: what comes out is what went in, in order, whatever the kinds of
// stations, the window, the room before them and the number of threads.

#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "penstock/policy/policy.hpp"
#include "penstock/schedule/carrier.hpp"
#include "penstock/schedule/chosen_first.hpp"
#include "penstock/schedule/conveyor.hpp"
#include "penstock/schedule/crew.hpp"
#include "penstock/schedule/dedicated_line.hpp"
#include "penstock/schedule/doorbell.hpp"
#include "penstock/schedule/least_recent_first.hpp"
#include "penstock/schedule/port_line.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::Conveyor;
using schedule::Crew;
using schedule::DedicatedLine;
using schedule::Doorbell;
using schedule::PortLine;
using support::Serials;
using support::TestLine;

constexpr std::uint64_t kRuns = 2'000;

struct Case {
  std::string kinds;
  std::size_t window;
  std::size_t capacity;
  int threads;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return info.param.kinds + "_window_" + std::to_string(info.param.window) + "_capacity_" +
         std::to_string(info.param.capacity) + "_threads_" + std::to_string(info.param.threads);
}

class LineStress : public testing::TestWithParam<Case> {
 protected:
  // `between` is called after each run that is collected.
  template <typename Scheduler, typename Wait, typename Between>
  void feed(Scheduler& scheduler, Wait wait, Between between) {
    std::uint64_t admitted = 0;
    for (std::uint64_t collected = 0; collected < kRuns;) {
      if (auto* const run = scheduler.try_collect()) {
        ASSERT_EQ(run->serial, collected++);
        ASSERT_EQ(run->visited, line_.all_stations()) << "run " << run->serial;
        between(collected);
      } else if (auto* const empty = admitted < kRuns ? scheduler.try_admit() : nullptr) {
        ++admitted;
        empty->visited.clear();
        scheduler.load(*empty);
      } else {
        wait();
      }
    }
    ASSERT_EQ(scheduler.under_way(), 0U);
  }
  template <typename Scheduler, typename Wait>
  void feed(Scheduler& scheduler, Wait wait) {
    feed(scheduler, wait, [](std::uint64_t /*collected*/) {});
  }

  void expect_order_everywhere() {
    Serials expected(kRuns);
    for (std::uint64_t serial = 0; serial < kRuns; ++serial) expected[serial] = serial;
    for (int station = 0; station < line_.stations(); ++station) {
      if (line_.serial(station)) {
        EXPECT_EQ(line_.passed(station), expected) << "station " << station;
      }
    }
    std::uint64_t in_lane = 0;
    for (const char kind : GetParam().kinds) in_lane += kind == 'S' || kind == 'L' ? kRuns : 0;
    EXPECT_EQ(line_.worked_in_lane(), in_lane) << "two at a time would have counted as one";
  }

  template <typename Ports>
  void run_ports() {
    Ports ports(line_, {.window = GetParam().window, .capacity = GetParam().capacity}, doorbell_);
    Crew<Ports> crew("stress", ports, doorbell_);
    crew.set_level(GetParam().threads - 1);
    feed(ports, [&] { schedule::lend_a_hand(ports, doorbell_); });
    expect_order_everywhere();
  }

  TestLine line_{GetParam().kinds};
  Doorbell<> doorbell_;
};

INSTANTIATE_TEST_SUITE_P(Cases, LineStress,
                         testing::Values(Case{"s", 1, 1, 1}, Case{"s", 1, 1, 3},
                                         Case{"ss", 3, 1, 2}, Case{"slsls", 4, 1, 3},
                                         Case{"slls", 16, 2, 4}, Case{"ssssssss", 8, 1, 8},
                                         Case{"llllllls", 32, 4, 8}, Case{"SlSs", 8, 2, 3},
                                         Case{"LsLSls", 16, 1, 4},
                                         Case{std::string(70, 's'), 64, 3, 4}),
                         name_of);

TEST_P(LineStress, conveyor) {
  Conveyor<TestLine> conveyor(line_, GetParam().window, doorbell_);
  Crew<Conveyor<TestLine>> crew("stress", conveyor, doorbell_);
  crew.set_level(GetParam().threads - 1);
  feed(conveyor, [&] { schedule::lend_a_hand(conveyor, doorbell_); });
  expect_order_everywhere();
}

TEST_P(LineStress, ports) { run_ports<PortLine<TestLine>>(); }

TEST_P(LineStress, ports_by_free_list) {
  run_ports<PortLine<TestLine, base::RealSync, schedule::LeastRecentFirst<>>>();
}

TEST_P(LineStress, ports_by_a_policy_that_is_chosen_at_run_time) {
  using Ports = PortLine<TestLine, base::RealSync, schedule::ChosenFirst<>>;
  using Chosen = schedule::ChosenPolicy<>;
  Ports ports(line_, {.window = GetParam().window, .capacity = GetParam().capacity}, doorbell_);
  ports.policy().choose(std::make_shared<Chosen>(
      GetParam().kinds.size(),
      Chosen::Choice{.name = "random", .policy = policy::make("random", {})}));
  Crew<Ports> crew("stress", ports, doorbell_);
  crew.set_level(GetParam().threads - 1);
  feed(ports, [&] { schedule::lend_a_hand(ports, doorbell_); });
  expect_order_everywhere();
}

TEST_P(LineStress, dedicated) {
  DedicatedLine<TestLine> stations(line_,
                                   {.window = GetParam().window, .capacity = GetParam().capacity});
  stations.start("stress");
  feed(stations, [&] { stations.sleep(); });
  stations.stop();
  expect_order_everywhere();
}

TEST_P(LineStress, threads_come_and_go_and_the_feeder_only_waits) {
  PortLine<TestLine> ports(line_, {.window = GetParam().window, .capacity = GetParam().capacity},
                           doorbell_);
  Crew<PortLine<TestLine>> crew("stress", ports, doorbell_);
  crew.set_level(1);
  feed(
      ports,
      [&] {
        // Into the lane goes the feeder alone, so there it has to help.
        if (GetParam().kinds.find_first_of("SL") != std::string::npos) {
          schedule::lend_a_hand(ports, doorbell_);
          return;
        }
        (void)doorbell_.feeder_sleep([] { return PortLine<TestLine>::Turn(); },
                                     [&] { return ports.collectable(); });
      },
      [&](std::uint64_t collected) {
        if (collected % 16 == 0) {
          crew.set_level(1 + static_cast<int>(collected / 16 % 7) % GetParam().threads);
        }
      });
  crew.stop();
  expect_order_everywhere();
}

TEST_P(LineStress, a_stop_at_any_moment_ends_every_thread) {
  const auto stop_after = [](auto& scheduler, int moment) {
    for (int i = 0; i < moment; ++i) {
      if (auto* const run = scheduler.try_admit()) scheduler.load(*run);
      (void)scheduler.try_collect();
    }
  };
  for (int moment = 0; moment < 30; ++moment) {
    TestLine line(GetParam().kinds);
    PortLine<TestLine> ports(line, {.window = GetParam().window, .capacity = GetParam().capacity},
                             doorbell_);
    Crew<PortLine<TestLine>> port_crew("stress", ports, doorbell_);
    port_crew.set_level(GetParam().threads);
    stop_after(ports, moment);
    port_crew.stop();

    TestLine other_line(GetParam().kinds);
    Conveyor<TestLine> conveyor(other_line, GetParam().window, doorbell_);
    Crew<Conveyor<TestLine>> conveyor_crew("stress", conveyor, doorbell_);
    conveyor_crew.set_level(GetParam().threads);
    stop_after(conveyor, moment);
    conveyor_crew.stop();
  }
}

}  // namespace
}  // namespace penstock
