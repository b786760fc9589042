#include "penstock/elastic/channel_controller.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "elastic/channel_plant.hpp"

namespace penstock {
namespace {

using elastic::ChannelController;
using elastic::ChannelControllerOptions;
using elastic::ChannelPlant;
using elastic::ChannelRange;
using elastic::ChannelReason;
using elastic::Lever;
using elastic::reasons;
using elastic::run;
using elastic::Scaling;

constexpr ChannelControllerOptions kLiteral{.margin = 0, .age = 0};
constexpr ChannelControllerOptions kMarginOnly{.age = 0};

TEST(ChannelController, turns_the_lever_of_channels) {
  EXPECT_EQ(ChannelController::kLever, Lever::kChannels);
}

TEST(ChannelController, starts_with_the_least_channels) {
  EXPECT_EQ(ChannelController(kLiteral).channels(), 1);
  EXPECT_EQ(ChannelController({.range = {.least = 3, .most = 9}}).channels(), 3);
}

TEST(ChannelController, stays_where_more_channels_bring_nothing) {
  ChannelController c(kMarginOnly);
  EXPECT_EQ(run(c, {.load = 900, .remote = 400}, 30).back(), 4);
  EXPECT_EQ(reasons(c, 1), (std::vector{ChannelReason::kNoGainAbove}));
  EXPECT_TRUE(c.settled());
  EXPECT_EQ(run(c, {.load = 900}, 100).back(), 4) << "and does not see that the bottleneck is gone";
}

// Six channels were measured in the fifth period, so in the seventeenth this is twelve ago.
TEST(ChannelController, measures_more_channels_again_after_twelve_periods) {
  ChannelController c({});
  const ChannelPlant remote{.load = 900, .remote = 400};
  EXPECT_EQ(run(c, remote, 5), (std::vector{2, 3, 4, 6, 4}));
  EXPECT_EQ(run(c, remote, 11), std::vector<int>(11, 4));
  EXPECT_EQ(run(c, remote, 2), (std::vector{6, 4}));
  EXPECT_EQ(reasons(c, 2),
            (std::vector{ChannelReason::kMeasureAgain, ChannelReason::kRemoteCongestion}));
  EXPECT_EQ(run(c, {.load = 900}, 30).back(), 11) << "the bottleneck is gone";
}

// With six channels one period came out at 421 by luck, which is more than 400 and five percent.
TEST(ChannelController, gives_back_channels_that_luck_had_kept) {
  ChannelController c({});
  const ChannelPlant remote{.load = 900, .remote = 400};
  EXPECT_EQ(run(c, remote, 4), (std::vector{2, 3, 4, 6}));
  EXPECT_EQ(c.update(421, true).channels, 8);
  EXPECT_EQ(run(c, remote, 4), (std::vector{6, 4, 4, 4}));
}

TEST(ChannelController, tries_more_channels_that_are_better_before_it_gives_any_back) {
  ChannelController c({});
  c.update(100, true);
  c.update(150, true);
  EXPECT_EQ(c.update(155, true).channels, 2);
  EXPECT_EQ(c.update(104, true).channels, 3) << "104 is no better than 100, and 155 is";
}

TEST(ChannelController, gives_nothing_back_for_channels_it_never_measured) {
  ChannelController c({.range = {.least = 1, .most = 4}});
  c.set_least(4);
  c.set_least(1);
  EXPECT_EQ(run(c, {.load = 900}, 3), (std::vector{4, 4, 4}));
}

TEST(ChannelController, takes_a_difference_within_the_margin_for_none) {
  ChannelController c({});
  c.update(100, true);
  EXPECT_EQ(c.update(104.9, true).channels, 1);
  ChannelController d({});
  d.update(100, true);
  EXPECT_EQ(d.update(105.1, true).channels, 3);
}

// From 20 to 21 throughput rises by no more than the margin, which is all it can do.
TEST(ChannelController, still_finds_thirty_channels_one_at_a_time) {
  ChannelController c({.scaling = Scaling::kSteady});
  EXPECT_EQ(run(c, {.load = 3000}, 40).back(), 30);
}

TEST(ChannelController, keeps_a_held_period_out_of_its_comparisons) {
  ChannelController c(kLiteral);
  EXPECT_EQ(run(c, {.load = 900, .remote = 100}, 1), (std::vector{2}));
  EXPECT_EQ(c.hold().channels, 2);
  EXPECT_EQ(c.decisions().back().reason, ChannelReason::kHeld);
  EXPECT_FALSE(c.decisions().back().before);
  EXPECT_EQ(run(c, {.load = 900, .remote = 100}, 1), (std::vector{1}));
  EXPECT_EQ(c.decisions().back().reason, ChannelReason::kRemoteCongestion);
}

TEST(ChannelController, remembers_throughput_before_and_after_each_decision) {
  ChannelController c(kLiteral);
  c.update(100, true);
  c.hold();
  c.update(190, true);
  EXPECT_EQ(c.decisions()[0].before, 100);
  EXPECT_EQ(c.decisions()[0].after, 190);
  EXPECT_EQ(c.decisions()[1].after, 190);
  EXPECT_FALSE(c.decisions()[2].after);
  EXPECT_EQ(c.decisions()[2].period, 2U);
}

TEST(ChannelController, forgets_its_oldest_decisions) {
  ChannelController c({});
  for (std::size_t i = 0; i <= ChannelController::kDecisionsKept; ++i) c.hold();
  EXPECT_EQ(c.decisions().size(), ChannelController::kDecisionsKept);
  EXPECT_EQ(c.decisions().front().period, 1U);
}

TEST(ChannelController, leaves_channels_above_a_new_most_at_once) {
  ChannelController c({});
  run(c, {.load = 900}, 8);
  EXPECT_EQ(c.channels(), 11);
  c.set_most(5);
  EXPECT_EQ(c.channels(), 5);
  EXPECT_EQ(c.decisions().back().reason, ChannelReason::kLimitsChanged);
  EXPECT_EQ(c.decisions().back().previous, 11);
  EXPECT_EQ(run(c, {.load = 900}, 3), (std::vector{5, 5, 5}));
  c.set_most(32);
  EXPECT_EQ(c.channels(), 4) << "5 is not in the series";
  EXPECT_EQ(run(c, {.load = 900}, 5), (std::vector{6, 8, 11, 11, 11}));
}

// On the way up four channels were worth 400; what they are worth now is another matter.
TEST(ChannelController, begins_a_new_stay_where_a_limit_takes_it) {
  ChannelController c(kLiteral);
  run(c, {.load = 500}, 5);
  c.set_most(4);
  c.update(600, false);
  EXPECT_FALSE(c.update(600, false).more_load);
}

TEST(ChannelController, goes_up_to_a_new_least_at_once_and_never_below) {
  ChannelController c({});
  c.set_least(7);
  EXPECT_EQ(c.channels(), 7);
  EXPECT_EQ(run(c, {.load = 100}, 3), (std::vector{7, 7, 7}));
  c.set_least(40);
  EXPECT_EQ(c.range(), (ChannelRange{.least = 40, .most = 40}));
  c.set_most(2);
  EXPECT_EQ(c.range(), (ChannelRange{.least = 2, .most = 2}));
}

TEST(ChannelController, says_nothing_about_limits_that_change_nothing) {
  ChannelController c({});
  run(c, {.load = 300}, 5);
  c.set_most(8);
  EXPECT_EQ(c.channels(), 3);
  EXPECT_EQ(c.decisions().size(), 5U);
  EXPECT_EQ(run(c, {.load = 100}, 4).back(), 1) << "what was known of fewer channels is kept";
}

TEST(ChannelController, is_not_misled_by_a_limit_that_comes_and_goes) {
  ChannelController c(kLiteral);
  run(c, {.load = 900}, 8);
  run(c, {.load = 400}, 1);
  c.set_most(4);
  c.set_most(32);
  EXPECT_EQ(run(c, {.load = 900}, 5).back(), 11);
}

TEST(ChannelController, refuses_what_it_cannot_work_with) {
  const auto refused = [](const ChannelControllerOptions& options, const std::string& word) {
    try {
      const ChannelController c(options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).starts_with(word);
    }
    return false;
  };
  EXPECT_TRUE(refused({.sensitivity = -0.1}, "sensitivity is -0.1"));
  EXPECT_TRUE(refused({.sensitivity = 1.1}, "sensitivity is 1.1"));
  EXPECT_TRUE(refused({.margin = -0.1}, "margin is -0.1"));
  EXPECT_TRUE(refused({.margin = 1}, "margin is 1"));
  EXPECT_TRUE(refused({.age = -1}, "age is -1"));
  EXPECT_TRUE(refused({.range = {.least = 0, .most = 1}}, "least 0"));
}

TEST(ChannelController, refuses_an_impossible_throughput_and_learns_nothing_from_it) {
  ChannelController c({});
  EXPECT_THROW(c.update(-1, true), std::invalid_argument);
  EXPECT_THROW(c.update(std::numeric_limits<double>::quiet_NaN(), true), std::invalid_argument);
  EXPECT_TRUE(c.decisions().empty());
}

}  // namespace
}  // namespace penstock
