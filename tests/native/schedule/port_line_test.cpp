#include "penstock/schedule/port_line.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/schedule/furthest_first.hpp"
#include "penstock/schedule/least_recent_first.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::Doorbell;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::step;
using support::TestLine;

using Bitmap = schedule::PortLine<TestLine>;
using FreeList =
    schedule::PortLine<TestLine, base::RealSync, schedule::LeastRecentFirst<base::RealSync>>;

// Every promise holds whichever port is taken next.
template <typename Ports>
class PortLineTest : public testing::Test {};
using Policies = testing::Types<Bitmap, FreeList>;
TYPED_TEST_SUITE(PortLineTest, Policies);

TYPED_TEST(PortLineTest, a_thread_follows_what_it_has_served_to_the_end) {
  TestLine line("sss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 1, .capacity = 1}, doorbell);
  const auto& run = load_one(ports);
  EXPECT_EQ(ports.waiting_hint(0), 1U);
  EXPECT_FALSE(ports.collectable());
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(run.visited, line.all_stations());
  EXPECT_EQ(collect_all(ports), (Serials{0}));
  EXPECT_FALSE(step(ports));
}

TYPED_TEST(PortLineTest, a_turn_serves_what_waits_up_to_the_budget) {
  TestLine line("ss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 16, .capacity = 5, .budget = 3}, doorbell);
  for (int i = 0; i < 5; ++i) (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0, 1, 2}));
  while (step(ports)) {
  }
  EXPECT_EQ(line.passed(0), (Serials{0, 1, 2, 3, 4})) << "the rest was not forgotten";
  EXPECT_EQ(collect_all(ports), (Serials{0, 1, 2, 3, 4}));
}

TYPED_TEST(PortLineTest, one_thread_does_not_take_a_whole_window) {
  TestLine line("ss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 8, .capacity = 8, .budget = 100}, doorbell);
  for (int i = 0; i < 8; ++i) (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0, 1}));
}

TYPED_TEST(PortLineTest, a_thread_that_meets_a_full_port_serves_that_port) {
  TestLine line("sss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 4, .capacity = 1}, doorbell);
  for (int i = 0; i < 3; ++i) (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0})) << "room for one before the next station";
  EXPECT_EQ(line.passed(1), (Serials{0})) << "and it was emptied by the same thread";
}

TYPED_TEST(PortLineTest, a_station_is_run_only_when_its_result_can_be_put_down) {
  TestLine line("ss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 3, .capacity = 1}, doorbell);
  for (int i = 0; i < 3; ++i) (void)load_one(ports);
  {
    const auto held = ports.try_take();
    ASSERT_TRUE(held);
    EXPECT_FALSE(ports.try_take()) << "nobody else may run a station that is taken";
  }
  while (step(ports)) {
    EXPECT_LE(ports.waiting_hint(1), 1U);
  }
  EXPECT_EQ(collect_all(ports), (Serials{0, 1, 2}));
}

TYPED_TEST(PortLineTest, a_turn_that_was_given_back_unused_can_be_taken_again) {
  TestLine line("s");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 1, .capacity = 1}, doorbell);
  (void)load_one(ports);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ports.try_take());
  EXPECT_TRUE(step(ports));
}

TYPED_TEST(PortLineTest, what_comes_during_a_turn_is_found_after_it) {
  TestLine line("ss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 2, .capacity = 2}, doorbell);
  (void)load_one(ports);
  {
    const auto turn = ports.try_take();
    ASSERT_TRUE(turn);
    (void)load_one(ports);
    EXPECT_FALSE(ports.try_take());
  }
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

TYPED_TEST(PortLineTest, room_made_at_the_end_of_a_full_line_reaches_its_beginning) {
  TestLine line("ssssssss");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 64, .capacity = 1, .budget = 1}, doorbell);
  Serials expected;
  for (std::uint64_t serial = 0; serial < 64; ++serial) {
    (void)load_one(ports);
    expected.push_back(serial);
  }
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), expected);
  EXPECT_EQ(ports.under_way(), 0U);
}

TYPED_TEST(PortLineTest, a_thousand_stations_with_full_ports_need_no_deeper_stack_than_two) {
  TestLine line(std::string(1000, 's'));
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 8, .capacity = 1}, doorbell);
  Serials collected;
  base::Thread thread({.name = "small", .stack_bytes = std::size_t{64} << 10U}, [&] {
    for (int i = 0; i < 8; ++i) (void)load_one(ports);
    while (step(ports)) {
    }
    collected = collect_all(ports);
  });
  thread.join();
  EXPECT_EQ(collected, (Serials{0, 1, 2, 3, 4, 5, 6, 7}));
}

TYPED_TEST(PortLineTest, stateless_stations_keep_the_order_too) {
  TestLine line("lls");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 3, .capacity = 2, .budget = 1}, doorbell);
  for (int i = 0; i < 3; ++i) (void)load_one(ports);
  while (step(ports)) {
  }
  EXPECT_EQ(line.passed(2), (Serials{0, 1, 2}));
}

template <typename Ports>
void load_with_more_to_come(Ports& ports) {
  ports.load(*ports.try_admit(), true);
}

TYPED_TEST(PortLineTest, what_is_loaded_with_more_to_come_is_offered_with_the_last) {
  TestLine line("s");
  Doorbell<> doorbell;
  TypeParam ports(line, {.window = 8, .capacity = 8}, doorbell);
  load_with_more_to_come(ports);
  (void)load_one(ports);
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

TEST(PortLine, others_are_told_of_what_was_loaded_when_no_more_can_come) {
  TestLine line("s");
  Doorbell<> doorbell;
  Bitmap ports(line, {.window = 2, .capacity = 2}, doorbell);
  for (int i = 0; i < 2; ++i) load_with_more_to_come(ports);
  EXPECT_FALSE(ports.try_take()) << "nobody was told yet";
  EXPECT_EQ(ports.try_admit(), nullptr);
  EXPECT_TRUE(ports.try_take());
}

TEST(PortLine, others_need_not_wait_for_the_last_of_many) {
  TestLine line("s");
  Doorbell<> doorbell;
  Bitmap ports(line, {.window = 64, .capacity = 64}, doorbell);
  for (int i = 0; i < 63; ++i) load_with_more_to_come(ports);
  EXPECT_TRUE(ports.try_take());
}

// While the last station is at work, something else happens, once.
class Meanwhile : public TestLine {
 public:
  using TestLine::TestLine;
  void work(int station, Run& run) noexcept {
    TestLine::work(station, run);
    if (station + 1 == stations() && meanwhile) std::exchange(meanwhile, nullptr)();
  }
  std::function<void()> meanwhile;
};

TEST(PortLine, a_thread_leaves_its_runs_where_another_is_at_work) {
  Meanwhile line("ss");
  Doorbell<> doorbell;
  schedule::PortLine<Meanwhile> ports(line, {.window = 8, .capacity = 8}, doorbell);
  (void)load_one(ports);
  line.meanwhile = [&] {
    (void)load_one(ports);
    EXPECT_TRUE(step(ports));
    EXPECT_EQ(line.passed(0), (Serials{0, 1}));
    EXPECT_EQ(line.passed(1), (Serials{0})) << "somebody is there";
    EXPECT_EQ(ports.waiting_hint(1), 2U);
    EXPECT_FALSE(ports.try_take()) << "they are in good hands";
  };
  EXPECT_TRUE(step(ports));
  EXPECT_TRUE(step(ports)) << "whoever leaves looks again";
  EXPECT_EQ(collect_all(ports), (Serials{0, 1}));
}

// Does not come back from the second run at one station until it is let go.
class KeepsTheSecond : public TestLine {
 public:
  KeepsTheSecond(std::string kinds, int station) : TestLine(std::move(kinds)), keeps_at(station) {}
  void work(int station, Run& run) noexcept {
    TestLine::work(station, run);
    if (station != keeps_at || run.serial != 1) return;
    entered = true;
    entered.notify_all();
    open.wait(false);
  }
  const int keeps_at;
  std::atomic<bool> entered{false};
  std::atomic<bool> open{false};
};

TEST(PortLine, what_was_served_before_a_run_that_never_comes_back_goes_on) {
  KeepsTheSecond line("ss", 0);
  Doorbell<> doorbell;
  schedule::PortLine<KeepsTheSecond> ports(line, {.window = 8, .capacity = 8}, doorbell);
  for (int i = 0; i < 2; ++i) (void)load_one(ports);
  std::thread worker([&] { EXPECT_TRUE(step(ports)); });
  line.entered.wait(false);
  ports.look_over();
  EXPECT_TRUE(step(ports)) << "the first run waits before the second station";
  EXPECT_EQ(collect_all(ports), (Serials{0}));
  line.open = true;
  line.open.notify_all();
  worker.join();
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), (Serials{1}));
}

TEST(PortLine, what_is_through_before_a_run_that_never_comes_back_is_collected) {
  KeepsTheSecond line("ss", 1);
  Doorbell<> doorbell;
  schedule::PortLine<KeepsTheSecond> ports(line, {.window = 8, .capacity = 8}, doorbell);
  for (int i = 0; i < 2; ++i) (void)load_one(ports);
  std::thread worker([&] { EXPECT_TRUE(step(ports)); });
  line.entered.wait(false);
  EXPECT_TRUE(ports.collectable()) << "for a feeder that has nothing else to do";
  EXPECT_EQ(collect_all(ports), (Serials{0}));
  line.open = true;
  line.open.notify_all();
  worker.join();
  EXPECT_EQ(collect_all(ports), (Serials{1}));
}

constexpr auto kAny = [](std::size_t /*port*/) { return true; };

TEST(FurthestFirst, what_is_furthest_along_is_served_first) {
  schedule::FurthestFirst<> policy(3);
  for (const std::size_t port : {0U, 2U, 1U}) EXPECT_TRUE(policy.put(port));
  EXPECT_FALSE(policy.put(1)) << "it is up already";
  for (const std::size_t port : {2U, 1U, 0U}) EXPECT_EQ(policy.take(kAny), port);
  EXPECT_EQ(policy.take(kAny), std::nullopt);
}

TEST(LeastRecentFirst, what_was_served_last_is_served_after_the_others) {
  schedule::LeastRecentFirst<> policy(3);
  std::vector<std::size_t> served;
  for (int i = 0; i < 6; ++i) {
    const auto port = policy.take(kAny);
    ASSERT_TRUE(port);
    served.push_back(*port);
    policy.put(*port);
  }
  EXPECT_EQ(served, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
}

}  // namespace
}  // namespace penstock
