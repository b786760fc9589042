#include "penstock/elastic/channel_load.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using elastic::ChannelLoad;
using elastic::ChannelMemory;
using elastic::ChannelSensitivity;
using elastic::ChannelSeries;
using elastic::load_by_congestion;
using elastic::load_by_throughput;
using elastic::Scaling;

// 4 channels, between 3 and 6.
constexpr int kHere = 3;
constexpr ChannelSensitivity kLiteral{.step = 0.55, .margin = 0};
constexpr ChannelSensitivity kDefault{.step = 0.55, .margin = 0.05};

struct Past {
  int level = kHere;
  double throughput = 0;
  bool congested = false;
};

ChannelMemory after(Past past) {
  ChannelMemory memory({{.least = 1, .most = 32}, Scaling::kRapid});
  memory.record(past.level, past.throughput, past.congested);
  return memory;
}

ChannelLoad by_congestion(Past past, bool congested) {
  return load_by_congestion(after(past), kHere, congested);
}

ChannelLoad by_throughput(Past past, double throughput, ChannelSensitivity sensitivity) {
  return load_by_throughput(after(past), kHere, throughput, sensitivity);
}

TEST(ChannelLoad, changes_with_congestion_at_the_same_level) {
  EXPECT_EQ(by_congestion({.congested = false}, true), ChannelLoad::kMore);
  EXPECT_EQ(by_congestion({.congested = true}, false), ChannelLoad::kLess);
  EXPECT_EQ(by_congestion({.congested = true}, true), ChannelLoad::kUnknown);
  EXPECT_EQ(by_congestion({.congested = false}, false), ChannelLoad::kUnknown);
}

TEST(ChannelLoad, is_less_when_fewer_channels_end_a_congestion) {
  EXPECT_EQ(by_congestion({.level = kHere + 1, .congested = true}, false), ChannelLoad::kLess);
  EXPECT_EQ(by_congestion({.level = kHere + 1, .congested = true}, true), ChannelLoad::kUnknown);
  EXPECT_EQ(by_congestion({.level = kHere + 1, .congested = false}, false), ChannelLoad::kUnknown);
}

TEST(ChannelLoad, is_more_when_more_channels_begin_a_congestion) {
  EXPECT_EQ(by_congestion({.level = kHere - 1, .congested = false}, true), ChannelLoad::kMore);
  EXPECT_EQ(by_congestion({.level = kHere - 1, .congested = false}, false), ChannelLoad::kUnknown);
  EXPECT_EQ(by_congestion({.level = kHere - 1, .congested = true}, true), ChannelLoad::kUnknown);
}

TEST(ChannelLoad, is_unknown_after_a_period_elsewhere) {
  EXPECT_EQ(by_congestion({.level = kHere + 2, .congested = true}, false), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput({.level = kHere + 2, .throughput = 1}, 9, kLiteral),
            ChannelLoad::kUnknown);
}

// With 4 channels at 400, one channel is worth 100: 3 are one fewer and 6 are two more, so the
// limits are 55 below and 110 above.
TEST(ChannelLoad, changes_with_throughput_by_a_part_of_what_channels_are_worth) {
  const Past past{.throughput = 400};
  EXPECT_EQ(by_throughput(past, 346, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 344, kLiteral), ChannelLoad::kLess);
  EXPECT_EQ(by_throughput(past, 509, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 511, kLiteral), ChannelLoad::kMore);
}

TEST(ChannelLoad, is_compared_with_the_first_period_of_a_stay) {
  ChannelMemory memory = after({.throughput = 400});
  memory.record(kHere, 350, false);
  EXPECT_EQ(load_by_throughput(memory, kHere, 346, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(load_by_throughput(memory, kHere, 300, kLiteral), ChannelLoad::kLess);
}

TEST(ChannelLoad, is_unknown_at_the_beginning_of_a_stay) {
  ChannelMemory memory = after({.throughput = 400});
  memory.enter(kHere);
  EXPECT_EQ(load_by_throughput(memory, kHere, 1, kLiteral), ChannelLoad::kUnknown);
}

// A17: N_-1 is 0, and N_L* is by the formula.
TEST(ChannelLoad, is_found_at_both_ends_of_the_series) {
  ChannelMemory memory({{.least = 1, .most = 2}, Scaling::kRapid});
  memory.record(0, 100, false);
  EXPECT_EQ(load_by_throughput(memory, 0, 46, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(load_by_throughput(memory, 0, 44, kLiteral), ChannelLoad::kLess);
  memory.record(1, 200, false);
  EXPECT_EQ(load_by_throughput(memory, 1, 254, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(load_by_throughput(memory, 1, 256, kLiteral), ChannelLoad::kMore);
}

TEST(ChannelLoad, is_more_when_fewer_channels_do_better) {
  const Past past{.level = kHere + 1, .throughput = 400};
  EXPECT_EQ(by_throughput(past, 400, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 401, kLiteral), ChannelLoad::kMore);
  EXPECT_EQ(by_throughput(past, 419, kDefault), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 421, kDefault), ChannelLoad::kMore);
}

TEST(ChannelLoad, is_less_when_more_channels_do_worse) {
  const Past past{.level = kHere - 1, .throughput = 400};
  EXPECT_EQ(by_throughput(past, 400, kLiteral), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 399, kLiteral), ChannelLoad::kLess);
  EXPECT_EQ(by_throughput(past, 381, kDefault), ChannelLoad::kUnknown);
  EXPECT_EQ(by_throughput(past, 379, kDefault), ChannelLoad::kLess);
}

TEST(ChannelLoad, has_a_margin_of_half_of_what_a_level_can_bring_at_most) {
  const ChannelSeries steady({.least = 1, .most = 40}, Scaling::kSteady);
  EXPECT_DOUBLE_EQ(kDefault.margin_above(steady, 0), 0.05);
  EXPECT_DOUBLE_EQ(kDefault.margin_above(steady, 19), 0.025);
  EXPECT_EQ(kLiteral.margin_above(steady, 19), 0);
}

}  // namespace
}  // namespace penstock
