#include "penstock/schedule/chosen_first.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <string_view>
#include <utility>

#include "penstock/policy/policy.hpp"
#include "penstock/schedule/port_line.hpp"

#include "schedule/test_line.hpp"

namespace penstock {
namespace {

using schedule::ChosenFirst;
using schedule::ChosenPolicy;
using schedule::Doorbell;
using support::collect_all;
using support::load_one;
using support::Serials;
using support::step;
using support::TestLine;

static_assert(schedule::MeasuringPolicy<ChosenFirst<>>);

using Ports = schedule::PortLine<TestLine, base::RealSync, ChosenFirst<>>;

// Picks the same place for ever.
class Always final : public policy::Policy {
 public:
  explicit Always(int place) : place_(place) {}
  [[nodiscard]] int pick(std::span<const policy::OperatorView> /*operators*/,
                         double /*now*/) override {
    return place_;
  }

 private:
  int place_;
};

std::shared_ptr<ChosenPolicy<>> chosen(std::size_t ports, std::unique_ptr<policy::Policy> policy) {
  return std::make_shared<ChosenPolicy<>>(
      ports, ChosenPolicy<>::Choice{.name = "test", .policy = std::move(policy)});
}

TEST(ChosenFirst, a_thread_comes_back_to_ask_after_every_station) {
  TestLine line("sss");
  Doorbell<> doorbell;
  Ports ports(line, {.window = 4, .capacity = 4}, doorbell);
  ports.policy().choose(chosen(3, std::make_unique<Always>(0)));
  (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), Serials{0});
  EXPECT_EQ(line.passed(1), Serials());
  (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0, 1})) << "the policy says the first, and it has work";
  EXPECT_EQ(line.passed(1), Serials());
  while (step(ports)) {
  }
  EXPECT_EQ(collect_all(ports), (Serials{0, 1})) << "the rest is served though nobody picks it";
}

TEST(ChosenFirst, the_longest_queue_is_served_before_the_furthest_one) {
  TestLine line("ss");
  Doorbell<> doorbell;
  Ports ports(line, {.window = 16, .capacity = 16, .budget = 1}, doorbell);
  ports.policy().choose(chosen(2, policy::make("maxQueue", {})));
  for (int i = 0; i < 4; ++i) (void)load_one(ports);
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), Serials{0});
  EXPECT_TRUE(step(ports));
  EXPECT_EQ(line.passed(0), (Serials{0, 1})) << "three wait before the first, one behind it";
}

class EveryPolicy : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, EveryPolicy,
                         testing::ValuesIn(policy::names().begin(), policy::names().end()));

TEST_P(EveryPolicy, brings_all_runs_through_a_line_with_little_room) {
  TestLine line("sslssSs");
  Doorbell<> doorbell;
  Ports ports(line, {.window = 8, .capacity = 2, .budget = 2}, doorbell);
  auto measuring = chosen(7, policy::make(GetParam(), {.capacity = 8}));
  ports.policy().choose(measuring);
  Serials all;
  Serials collected;
  for (std::uint64_t i = 0; i < 100; ++i) {
    all.push_back(i);
    (void)load_one(ports);
    if (i % 8 != 7 && i != 99) continue;
    while (auto turn = ports.try_take(true)) ports.carry(std::move(turn));
    for (const auto serial : collect_all(ports)) collected.push_back(serial);
  }
  EXPECT_EQ(collected, all);
  EXPECT_EQ(line.passed(6), all);
  EXPECT_EQ(measuring->overruled(), 0U);
}

}  // namespace
}  // namespace penstock
