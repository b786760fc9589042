#include "penstock/schedule/dedicated_line.hpp"

#include <atomic>
#include <concepts>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using Stations = schedule::DedicatedLine<support::TestLine>;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::TestLine;

TEST(DedicatedLine, each_step_of_a_station_passes_one_run_on) {
  TestLine line("sss");
  Stations stations(line, {.window = 2, .capacity = 2});
  Stations::Seat first(stations, 0);
  Stations::Seat second(stations, 1);
  const auto& run = load_one(stations);
  EXPECT_FALSE(stations.try_step(second));
  EXPECT_TRUE(stations.try_step(first));
  EXPECT_EQ(run.visited, (std::vector<int>{0}));
  EXPECT_EQ(stations.try_collect(), nullptr);
  EXPECT_TRUE(stations.try_step(second));
  EXPECT_EQ(stations.try_collect(), &run);
  EXPECT_EQ(run.visited, line.all_stations()) << "collecting is running the last station";
}

TEST(DedicatedLine, a_station_waits_until_there_is_room_behind_it) {
  TestLine line("sss");
  Stations stations(line, {.window = 3, .capacity = 1});
  Stations::Seat first(stations, 0);
  Stations::Seat second(stations, 1);
  (void)load_one(stations);
  (void)load_one(stations);
  EXPECT_TRUE(stations.try_step(first));
  EXPECT_FALSE(stations.try_step(first));
  EXPECT_EQ(line.passed(0), (Serials{0}));
  EXPECT_TRUE(stations.try_step(second));
  EXPECT_TRUE(stations.try_step(first));
  EXPECT_FALSE(stations.try_step(second)) << "the last port is full until the feeder collects";
  EXPECT_EQ(collect_all(stations), (Serials{0}));
  EXPECT_TRUE(stations.try_step(second));
}

TEST(DedicatedLine, no_more_runs_are_under_way_than_the_window_has) {
  TestLine line("ss");
  Stations stations(line, {.window = 2, .capacity = 64});
  (void)load_one(stations);
  (void)load_one(stations);
  EXPECT_EQ(stations.try_admit(), nullptr);
  EXPECT_EQ(stations.under_way(), 2U);
}

TEST(DedicatedLine, a_single_station_is_run_by_the_feeder_alone) {
  TestLine line("s");
  Stations stations(line, {.window = 2, .capacity = 1});
  stations.start("test");
  (void)load_one(stations);
  (void)load_one(stations);
  EXPECT_EQ(collect_all(stations), (Serials{0, 1}));
}

TEST(DedicatedLine, each_thread_has_a_number_and_a_meter_of_its_own) {
  TestLine line("sss");
  std::vector<schedule::WorkerMeter<>> meters(3);
  std::atomic<int> numbers = 0;
  Stations stations(line, {.window = 2, .capacity = 2});
  stations.start("test",
                 {.on_start = [&](int worker) { numbers += worker * worker; }, .meters = meters});
  (void)load_one(stations);
  while (stations.try_collect() == nullptr) stations.sleep();
  stations.stop();
  EXPECT_EQ(numbers, 1 + 4);
  for (const int worker : {1, 2}) {
    EXPECT_EQ(meters[static_cast<std::size_t>(worker)].read(base::RealSync::now()).pieces, 1);
  }
}

TEST(DedicatedLine, the_number_of_waiting_runs_can_be_asked_for) {
  TestLine line("ss");
  Stations stations(line, {.window = 3, .capacity = 2});
  (void)load_one(stations);
  (void)load_one(stations);
  EXPECT_EQ(stations.waiting_hint(0), 2U);
  EXPECT_EQ(stations.waiting_hint(1), 0U);
}

TEST(DedicatedLine, the_feeder_does_not_sleep_over_something_to_collect) {
  TestLine line("s");
  Stations stations(line, {.window = 1, .capacity = 1});
  (void)load_one(stations);
  stations.sleep();
  EXPECT_EQ(collect_all(stations), (Serials{0}));
}

// A machine on which the 71st thread cannot be had.
struct NoMoreThreads : base::RealSync {
  class Thread : public base::Thread {
   public:
    Thread() = default;
    template <std::invocable Body>
    Thread(base::ThreadOptions options, Body body)
        : base::Thread(checked(std::move(options)), std::move(body)) {}

   private:
    static base::ThreadOptions checked(base::ThreadOptions options) {
      if (options.name == "test-70") throw std::runtime_error("no more threads");
      return options;
    }
  };
};

TEST(DedicatedLine, runs_follow_while_many_threads_are_started) {
  TestLine line(std::string(100, 's'));
  Stations stations(line, {.window = 2, .capacity = 1});
  stations.start("test");
  for (int i = 0; i < 2; ++i) (void)load_one(stations);
  Serials collected;
  while (collected.size() < 2) {
    if (auto* const run = stations.try_collect()) {
      EXPECT_EQ(run->visited, line.all_stations());
      collected.push_back(run->serial);
    } else {
      stations.sleep();
    }
  }
  EXPECT_EQ(collected, (Serials{0, 1}));
}

TEST(DedicatedLine, whoever_waits_is_told_that_a_thread_could_not_be_started) {
  TestLine line(std::string(100, 's'));
  schedule::DedicatedLine<TestLine, NoMoreThreads> stations(line, {.window = 1, .capacity = 1});
  stations.start("test");
  (void)load_one(stations);
  const auto wait_for_ever = [&] {
    while (true) stations.sleep();
  };
  EXPECT_THROW(wait_for_ever(), std::runtime_error);
}

TEST(DedicatedLineDeathTest, a_station_has_one_seat) {
  TestLine line("ss");
  Stations stations(line, {.window = 1, .capacity = 1});
  const Stations::Seat seat(stations, 0);
  EXPECT_DEATH(Stations::Seat(stations, 0), "a station is run by one thread only");
}

}  // namespace
}  // namespace penstock
