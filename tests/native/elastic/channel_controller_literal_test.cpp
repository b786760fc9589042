#include <gtest/gtest.h>
#include <vector>

#include "penstock/elastic/channel_controller.hpp"

#include "elastic/channel_plant.hpp"

namespace penstock {
namespace {

using elastic::ChannelController;
using elastic::ChannelControllerOptions;
using elastic::ChannelDecision;
using elastic::ChannelReason;
using elastic::reasons;
using elastic::run;
using elastic::Scaling;

constexpr ChannelControllerOptions kLiteral{.margin = 0, .age = 0};

// These traces were worked out by hand from Algorithms 1 to 3.
TEST(LiteralChannelController, expands_until_the_congestion_ends) {
  ChannelController c(kLiteral);
  EXPECT_EQ(run(c, {.load = 500}, 7), (std::vector{2, 3, 4, 6, 6, 6, 6}));
  EXPECT_TRUE(c.settled());
  EXPECT_EQ(reasons(c, 4),
            (std::vector{ChannelReason::kCongested, ChannelReason::kCongestedBelow,
                         ChannelReason::kCongestedBelow, ChannelReason::kCongestedBelow}));
}

// P4: 250 is below 500 by more than 0.55 * (6 - 4) / 6 of it. Two channels turn out too few.
TEST(LiteralChannelController, contracts_after_the_load_fell_and_returns_from_one_too_few) {
  ChannelController c(kLiteral);
  run(c, {.load = 500}, 7);
  EXPECT_EQ(run(c, {.load = 250}, 6), (std::vector{4, 3, 2, 3, 3, 3}));
  EXPECT_TRUE(c.decisions()[7].less_load);
  EXPECT_FALSE(c.decisions()[7].more_load);
  EXPECT_EQ(reasons(c, 6),
            (std::vector{ChannelReason::kNotCongested, ChannelReason::kNotCongested,
                         ChannelReason::kNotCongested, ChannelReason::kBetterAbove,
                         ChannelReason::kCongestedBelow, ChannelReason::kCongestedBelow}));
}

// 460 is less than 500, but by no more than 91.7.
TEST(LiteralChannelController, stays_when_the_load_falls_by_less_than_channels_are_worth) {
  ChannelController c(kLiteral);
  run(c, {.load = 500}, 7);
  EXPECT_EQ(run(c, {.load = 460}, 3), (std::vector{6, 6, 6}));
}

TEST(LiteralChannelController, is_the_more_awake_the_higher_its_sensitivity) {
  ChannelController c({.sensitivity = 1, .margin = 0, .age = 0});
  run(c, {.load = 500}, 7);
  EXPECT_EQ(run(c, {.load = 460}, 3), (std::vector{4, 6, 6}));
}

// P3: congestion where there was none.
TEST(LiteralChannelController, expands_again_after_the_load_rose) {
  ChannelController c(kLiteral);
  run(c, {.load = 250}, 5);
  EXPECT_EQ(run(c, {.load = 1000}, 6), (std::vector{4, 6, 8, 11, 11, 11}));
  EXPECT_TRUE(c.decisions()[5].more_load);
}

// P3: the congestion ends with the channels that are there, and fewer may do.
TEST(LiteralChannelController, contracts_when_a_congestion_ends_by_itself) {
  ChannelController c({.range = {.least = 1, .most = 4}, .margin = 0, .age = 0});
  EXPECT_EQ(run(c, {.load = 900}, 5), (std::vector{2, 3, 4, 4, 4}));
  EXPECT_EQ(reasons(c, 1), (std::vector{ChannelReason::kMostChannels}));
  EXPECT_EQ(run(c, {.load = 400}, 3), (std::vector{3, 4, 4}));
  EXPECT_TRUE(c.decisions()[5].less_load);
}

TEST(LiteralChannelController, contracts_to_the_least_and_stays_there) {
  ChannelController c(kLiteral);
  run(c, {.load = 300}, 4);
  EXPECT_EQ(run(c, {.load = 50}, 4), (std::vector{2, 1, 1, 1}));
  EXPECT_EQ(reasons(c, 1), (std::vector{ChannelReason::kLeastChannels}));
}

// P5, and A18: without noise it goes back and forth for ever.
TEST(LiteralChannelController, leaves_channels_that_bring_nothing_and_tries_them_again) {
  ChannelController c(kLiteral);
  EXPECT_EQ(run(c, {.load = 900, .remote = 400}, 9), (std::vector{2, 3, 4, 6, 4, 6, 4, 6, 4}));
  EXPECT_EQ(reasons(c, 2),
            (std::vector{ChannelReason::kBetterAbove, ChannelReason::kRemoteCongestion}));
}

TEST(LiteralChannelController, asks_only_once_whether_channels_helped) {
  ChannelController c({.range = {.least = 1, .most = 2}, .margin = 0, .age = 0});
  c.update(118, true);
  EXPECT_EQ(c.update(119, true).channels, 2);
  EXPECT_EQ(c.update(117, true).channels, 2);
}

// A18: half a percent of luck at each level is enough.
TEST(LiteralChannelController, runs_away_from_a_remote_bottleneck_with_a_little_noise) {
  ChannelController c(kLiteral);
  for (int period = 0; period < 9; ++period) c.update(400 + period, true);
  EXPECT_EQ(c.channels(), 32);
}

// A16: as printed a congested region at the maximum would contract after a fall of the load.
TEST(LiteralChannelController, does_not_contract_while_congested) {
  ChannelController c({.range = {.least = 1, .most = 4}, .margin = 0, .age = 0});
  run(c, {.load = 900}, 5);
  const ChannelDecision decision = c.update(100, true);
  EXPECT_TRUE(decision.less_load);
  EXPECT_EQ(decision.channels, 4);
  EXPECT_EQ(decision.reason, ChannelReason::kMostChannels);
}

// Throughput falls on the way up: the load fell, so what is below is not known to be congested.
TEST(LiteralChannelController, notices_less_load_on_the_way_up) {
  ChannelController c(kLiteral);
  c.update(100, true);
  const ChannelDecision decision = c.update(90, false);
  EXPECT_TRUE(decision.less_load);
  EXPECT_EQ(decision.channels, 1);
}

// Throughput rises on the way down: the load rose, so what is above is unknown again.
TEST(LiteralChannelController, notices_more_load_on_the_way_down) {
  ChannelController c(kLiteral);
  run(c, {.load = 500}, 5);
  run(c, {.load = 250}, 1);
  const ChannelDecision decision = c.update(380, true);
  EXPECT_TRUE(decision.more_load);
  EXPECT_EQ(decision.channels, 6);
  EXPECT_EQ(decision.reason, ChannelReason::kCongested);
}

// A load that fell explains why more channels bring nothing, so it is no remote congestion.
TEST(LiteralChannelController, does_not_take_less_load_for_remote_congestion) {
  ChannelController c(kLiteral);
  c.update(100, true);
  EXPECT_EQ(c.update(0, true).channels, 3);
}

// 600 is more than 500 by more than 91.7, but 500 was measured during another stay.
TEST(LiteralChannelController, compares_a_stay_with_itself_only) {
  ChannelController c(kLiteral);
  run(c, {.load = 500}, 6);
  run(c, {.load = 250}, 6);
  EXPECT_EQ(run(c, {.load = 600}, 4), (std::vector{4, 6, 6, 6}));
  EXPECT_FALSE(c.decisions().back().more_load);
}

TEST(LiteralChannelController, can_add_one_channel_at_a_time) {
  ChannelController c({.scaling = Scaling::kSteady, .margin = 0, .age = 0});
  EXPECT_EQ(run(c, {.load = 600}, 7), (std::vector{2, 3, 4, 5, 6, 6, 6}));
}

}  // namespace
}  // namespace penstock
