#include "penstock/engine/channel_loop.hpp"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/control_loop.hpp"

#include "engine/always_room.hpp"
#include "engine/levers_bench.hpp"

namespace penstock {
namespace {

using elastic::Lever;
using engine::ChannelLoop;
using engine::ControlLoop;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Regions that do what they are told at once, and wait as much as the test says.
class Bench final : public engine::ChannelLevers {
 public:
  explicit Bench(std::vector<elastic::ChannelRange> ranges) : ranges_(std::move(ranges)) {
    for (const auto& range : ranges_) channels.push_back(range.least);
    is_pinned.resize(ranges_.size());
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
  [[nodiscard]] bool settled() const override { return is_settled; }
  [[nodiscard]] std::vector<nanoseconds> take_waits(int region) override {
    return std::exchange(waits, std::vector<nanoseconds>(static_cast<std::size_t>(
                                    channels[static_cast<std::size_t>(region)])));
  }

  std::vector<int> channels;
  std::vector<bool> is_pinned;
  std::vector<nanoseconds> waits;
  bool is_settled = true;

 private:
  std::vector<elastic::ChannelRange> ranges_;
};

TEST(ChannelLoop, leaves_regions_with_a_fixed_number_of_channels_alone) {
  Bench bench({{.least = 3, .most = 3}});
  const ChannelLoop loop(&bench);
  EXPECT_FALSE(loop.any());
  EXPECT_TRUE(loop.settled());
}

TEST(ChannelLoop, adds_channels_when_runs_wait_before_any_of_them) {
  Bench bench({{.least = 1, .most = 8}});
  ChannelLoop loop(&bench);
  bench.waits = {milliseconds(30)};
  const auto step = loop.decide(100, milliseconds(100));
  EXPECT_EQ(step.lever, Lever::kChannels);
  EXPECT_EQ(std::pair(step.previous, step.chosen), std::pair(1, 2));
  EXPECT_EQ(step.reason, "congested");
  EXPECT_TRUE(step.text.starts_with("region 'r0': ")) << step.text;
  EXPECT_EQ(bench.channels[0], 2);
  // The worst of two: a mean of 0.15 would not do.
  bench.waits = {milliseconds(0), milliseconds(30)};
  EXPECT_EQ(loop.decide(190, milliseconds(100)).chosen, 3);
}

TEST(ChannelLoop, begins_with_as_many_channels_as_there_may_be_threads) {
  Bench bench({{.least = 1, .most = 8}, {.least = 1, .most = 2}, {.least = 6, .most = 8}});
  ChannelLoop loop(&bench, 4);
  EXPECT_EQ(bench.channels, (std::vector<int>{4, 2, 6}));
  bench.waits = std::vector<nanoseconds>(4, milliseconds(30));
  const auto step = loop.decide(100, milliseconds(100));
  EXPECT_EQ(std::pair(step.previous, step.chosen), std::pair(4, 6));
}

TEST(ChannelLoop, begins_with_a_number_of_channels_that_it_could_have_chosen) {
  Bench bench({{.least = 1, .most = 8}});
  ChannelLoop loop(&bench, 5);
  EXPECT_EQ(bench.channels[0], 4);
  EXPECT_EQ(loop.decide(100, milliseconds(100)).previous, 4);
}

TEST(ChannelLoop, stays_where_nothing_waits_for_long) {
  Bench bench({{.least = 1, .most = 8}});
  ChannelLoop loop(&bench);
  bench.waits = {milliseconds(19)};
  EXPECT_EQ(loop.decide(100, milliseconds(100)).chosen, 1);
  EXPECT_TRUE(loop.settled());
}

TEST(ChannelLoop, does_not_count_what_was_waited_for_before_the_period) {
  Bench bench({{.least = 1, .most = 8}});
  ChannelLoop loop(&bench);
  bench.waits = {milliseconds(90)};
  loop.begin_period();
  EXPECT_EQ(loop.decide(100, milliseconds(100)).chosen, 1);
}

TEST(ChannelLoop, turns_one_region_at_a_time) {
  Bench bench({{.least = 1, .most = 8}, {.least = 2, .most = 2}, {.least = 2, .most = 4}});
  ChannelLoop loop(&bench);
  loop.next_turn();
  bench.waits = {milliseconds(90), milliseconds(90)};
  EXPECT_EQ(loop.decide(100, milliseconds(100)).previous, 2);
  EXPECT_EQ(bench.channels, (std::vector<int>{1, 2, 3}));
  loop.next_turn();
  EXPECT_EQ(loop.decide(100, milliseconds(100)).previous, 1) << "the first again";
}

TEST(ChannelLoop, does_not_overrule_who_chose_the_channels_by_hand) {
  Bench bench({{.least = 1, .most = 8}});
  ChannelLoop loop(&bench);
  bench.is_pinned[0] = true;
  bench.waits = {milliseconds(90)};
  static_cast<void>(loop.decide(100, milliseconds(100)));
  EXPECT_EQ(bench.channels[0], 1);
  EXPECT_TRUE(loop.settled());
}

class OneThread final : public engine::Levers {
 public:
  [[nodiscard]] int threads() const override { return 1; }
};

// X4: with two levers turned at once nobody could say which one helped.
TEST(ControlLoop, turns_channels_once_threads_have_settled) {
  Bench bench({{.least = 1, .most = 2}});
  OneThread model;
  nanoseconds now{};
  ControlLoop loop(model, {.range = {.least = 1, .most = 1}, .period = milliseconds(100)},
                   always_room, now, &bench);
  const auto pass = [&](int periods) {
    for (int i = 0; i < 10 * periods; ++i) {
      now += milliseconds(10);
      for (int run = 0; run < 20; ++run) loop.collected(10 * bench.channels[0]);
      for (auto& wait : bench.waits) wait += milliseconds(9);
      loop.tick(now);
    }
  };
  pass(8);
  ASSERT_EQ(bench.channels[0], 2);
  const auto& chosen = loop.actions();
  const auto channels = std::ranges::find(chosen, Lever::kChannels, &engine::Action::lever);
  ASSERT_NE(channels, chosen.end());
  EXPECT_EQ(channels->reason, "congested");
  EXPECT_DOUBLE_EQ(channels->before.value(), 20'000);
  EXPECT_DOUBLE_EQ(channels->after.value(), 40'000);
  EXPECT_EQ(std::prev(channels)->reason, "settled") << "the threads had their turn first";
}

TEST(ControlLoop, has_stops_placed_anew_once_a_change_of_channels_is_in_effect) {
  Bench bench({{.least = 1, .most = 2}});
  LeversBench model;
  nanoseconds now{};
  ControlLoop loop(model, {.range = {.least = 1, .most = 1}, .period = milliseconds(100)},
                   always_room, now, &bench);
  const auto pass = [&] {
    now += milliseconds(10);
    for (int run = 0; run < 20; ++run) loop.collected(10);
    for (auto& wait : bench.waits) wait += milliseconds(9);
    loop.tick(now);
  };
  for (int i = 0; i < 100 && bench.channels[0] == 1; ++i) pass();
  ASSERT_EQ(bench.channels[0], 2);
  const auto before = model.adopted.size();
  bench.is_settled = false;
  for (int i = 0; i < 20; ++i) pass();
  EXPECT_EQ(model.adopted.size(), before) << "the new channels have no rows yet";
  bench.is_settled = true;
  for (int i = 0; i < 5; ++i) pass();
  ASSERT_EQ(model.adopted.size(), before + 1);
  EXPECT_EQ(model.adopted.back(), model.adopted[before - 1]) << "it is the same plan";
}

TEST(ControlLoop, measures_nothing_until_a_change_of_channels_is_in_effect) {
  Bench bench({{.least = 1, .most = 8}});
  OneThread model;
  nanoseconds now{};
  ControlLoop loop(model, {.range = {.least = 1, .most = 1}, .period = milliseconds(100)},
                   always_room, now, &bench);
  bench.is_settled = false;
  for (int i = 0; i < 100; ++i) {
    now += milliseconds(50);
    for (int run = 0; run < 100; ++run) loop.collected(1);
    loop.tick(now);
  }
  EXPECT_EQ(loop.actions_noted(), 0U);
}

}  // namespace
}  // namespace penstock
