#include "penstock/engine/replica_loop.hpp"

#include <chrono>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/control_loop.hpp"

#include "engine/always_room.hpp"

namespace penstock {
namespace {

using elastic::Lever;
using engine::ControlLoop;
using engine::ReplicaLoop;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Regions that do what they are told at once, and wait as much as the test says.
class Bench final : public engine::ChannelLevers {
 public:
  explicit Bench(std::vector<elastic::ChannelRange> ranges)
      : waits(ranges.size()), is_pinned(ranges.size()), ranges_(std::move(ranges)) {
    for (const auto& range : ranges_) channels.push_back(range.least);
  }

  [[nodiscard]] int size() const override { return static_cast<int>(ranges_.size()); }
  [[nodiscard]] std::string name(int region) const override { return "r" + std::to_string(region); }
  [[nodiscard]] elastic::ChannelRange range(int region) const override {
    return ranges_[static_cast<std::size_t>(region)];
  }
  [[nodiscard]] bool pinned(int region) const override {
    return is_pinned[static_cast<std::size_t>(region)];
  }
  void set_channels(int region, int wanted) override {
    channels[static_cast<std::size_t>(region)] = wanted;
  }
  [[nodiscard]] bool settled() const override { return true; }
  [[nodiscard]] std::vector<nanoseconds> take_waits(int region) override {
    return std::exchange(waits[static_cast<std::size_t>(region)], {});
  }

  std::vector<int> channels;
  std::vector<std::vector<nanoseconds>> waits;
  std::vector<bool> is_pinned;

 private:
  std::vector<elastic::ChannelRange> ranges_;
};

constexpr milliseconds kPeriod(100);

TEST(ReplicaLoop, leaves_regions_with_a_fixed_number_of_channels_alone) {
  Bench bench({{.least = 3, .most = 3}});
  EXPECT_FALSE(ReplicaLoop(&bench).any());
  EXPECT_FALSE(ReplicaLoop(nullptr).any());
  EXPECT_TRUE(ReplicaLoop(nullptr).in_effect());
}

TEST(ReplicaLoop, begins_with_the_fewest_channels) {
  Bench bench({{.least = 2, .most = 8}});
  bench.channels[0] = 5;
  const ReplicaLoop loop(&bench);
  EXPECT_EQ(bench.channels[0], 2);
}

TEST(ReplicaLoop, one_channel_more_where_runs_waited_before_any_of_them) {
  Bench bench({{.least = 2, .most = 8}});
  ReplicaLoop loop(&bench);
  bench.waits[0] = {milliseconds(0), milliseconds(30)};
  const auto step = loop.decide(100, kPeriod);
  EXPECT_EQ(step.lever, Lever::kChannels);
  EXPECT_EQ(std::pair(step.previous, step.chosen), std::pair(2, 3));
  EXPECT_EQ(step.reason, "bottleneck");
  EXPECT_EQ(step.text,
            "operator 'r0': 2 -> 3 replicas: its input was blocked for 30 % of the time");
  EXPECT_EQ(bench.channels[0], 3);
  EXPECT_FALSE(loop.settled());
}

TEST(ReplicaLoop, stays_where_nothing_waited) {
  Bench bench({{.least = 1, .most = 8}});
  ReplicaLoop loop(&bench);
  const auto step = loop.decide(100, kPeriod);
  EXPECT_EQ(step.previous, step.chosen);
  EXPECT_EQ(step.reason, "no_bottleneck");
  EXPECT_TRUE(loop.settled());
}

TEST(ReplicaLoop, does_not_count_what_was_waited_for_before_the_period) {
  Bench bench({{.least = 1, .most = 8}, {.least = 1, .most = 8}});
  ReplicaLoop loop(&bench);
  bench.waits = {{milliseconds(90)}, {milliseconds(90)}};
  loop.begin_period();
  EXPECT_EQ(loop.decide(100, kPeriod).reason, "no_bottleneck");
}

// A wait that began before the period may be longer than it.
TEST(ReplicaLoop, an_input_is_blocked_for_the_whole_period_at_most) {
  Bench bench({{.least = 1, .most = 8}});
  ReplicaLoop loop(&bench);
  bench.waits[0] = {milliseconds(140)};
  EXPECT_NE(loop.decide(100, kPeriod).text.find("blocked for 100 %"), std::string::npos);
}

TEST(ReplicaLoop, a_region_that_waits_for_the_next_one_is_not_the_bottleneck) {
  Bench bench({{.least = 1, .most = 8}, {.least = 1, .most = 8}, {.least = 1, .most = 8}});
  ReplicaLoop loop(&bench);
  bench.waits = {{milliseconds(80)}, {milliseconds(60)}, {}};
  static_cast<void>(loop.decide(100, kPeriod));
  EXPECT_EQ(bench.channels, (std::vector{1, 2, 1}));
}

TEST(ReplicaLoop, a_fixed_region_behind_counts_as_what_holds_it_up) {
  Bench bench({{.least = 1, .most = 8}, {.least = 3, .most = 3}});
  ReplicaLoop loop(&bench);
  bench.waits = {{milliseconds(80)}, {milliseconds(60)}};
  static_cast<void>(loop.decide(100, kPeriod));
  EXPECT_EQ(bench.channels, (std::vector{1, 3}));
}

TEST(ReplicaLoop, does_not_overrule_who_chose_the_channels_by_hand) {
  Bench bench({{.least = 1, .most = 8}});
  ReplicaLoop loop(&bench);
  bench.waits[0] = {milliseconds(90)};
  static_cast<void>(loop.decide(100, kPeriod));
  ASSERT_EQ(bench.channels[0], 2);
  bench.is_pinned[0] = true;
  for (int period = 0; period < 3; ++period) {
    bench.waits[0] = {milliseconds(90)};
    static_cast<void>(loop.decide(100, kPeriod));
    EXPECT_EQ(bench.channels[0], 2) << "neither one more nor the last one back";
  }
}

class TwoThreads final : public engine::Levers {
 public:
  void adopt(elastic::Plan plan) override { plan_ = plan; }
  [[nodiscard]] elastic::Plan plan() const override { return plan_; }
  [[nodiscard]] int threads() const override { return plan_.threads; }

 private:
  elastic::Plan plan_;
};

// X4: one lever at a time, and one channel a time.
TEST(ControlLoop, by_utilization_a_region_grows_by_one_up_to_its_most_and_stops) {
  Bench bench({{.least = 1, .most = 4}});
  TwoThreads model;
  nanoseconds now{};
  ControlLoop loop(model,
                   {.range = {.least = 2, .most = 2},
                    .moves_stops = false,
                    .period = kPeriod,
                    .time_spent =
                        [](nanoseconds time) {
                          return engine::TimeSpent{.busy = time, .asleep = nanoseconds(0)};
                        }},
                   always_room, now, &bench);
  const auto pass = [&](int periods) {
    std::vector<int> seen;
    for (int i = 0; i < 10 * periods; ++i) {
      now += kPeriod / 10;
      for (int run = 0; run < 20; ++run) loop.collected(10 * bench.channels[0]);
      bench.waits[0].resize(1);
      bench.waits[0][0] += kPeriod / 20;
      loop.tick(now);
      if (seen.empty() || seen.back() != bench.channels[0]) seen.push_back(bench.channels[0]);
    }
    return seen;
  };
  EXPECT_EQ(pass(20), (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(pass(20), (std::vector{4}));
  EXPECT_EQ(loop.actions().front().lever, Lever::kThreads) << "the threads had their turn first";
  int previous = 1;
  for (const auto& action : loop.actions()) {
    if (action.lever != Lever::kChannels || action.chosen == action.previous) continue;
    EXPECT_EQ(std::exchange(previous, action.chosen), action.previous);
    EXPECT_EQ(action.reason, "bottleneck");
  }
  EXPECT_EQ(previous, 4);
}

}  // namespace
}  // namespace penstock
