#include "penstock/elastic/channel_memory.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace penstock {
namespace {

using elastic::ChannelMemory;
using elastic::ChannelRange;
using elastic::ChannelRecord;
using elastic::ChannelSeries;
using elastic::Scaling;

ChannelSeries series(ChannelRange range) { return {range, Scaling::kRapid}; }

// Algorithm 1
TEST(ChannelMemory, starts_with_congestion_and_endless_throughput_everywhere) {
  const ChannelMemory memory(series({.least = 1, .most = 4}));
  for (int level = 0; level < 4; ++level) {
    EXPECT_EQ(memory.at(level).period, ChannelRecord::kNever);
    EXPECT_TRUE(memory.at(level).congested);
    EXPECT_TRUE(std::isinf(memory.at(level).last));
    EXPECT_FALSE(memory.at(level).first);
    EXPECT_FALSE(memory.was_at(level));
  }
}

// A17
TEST(ChannelMemory, was_never_at_levels_that_are_not_there) {
  ChannelMemory memory(series({.least = 1, .most = 2}));
  for (int period = 0; period < 3; ++period) {
    EXPECT_FALSE(memory.was_at(-1));
    EXPECT_FALSE(memory.was_at(2));
    memory.record(0, 5, false);
  }
}

TEST(ChannelMemory, keeps_the_first_and_the_last_throughput_of_a_stay) {
  ChannelMemory memory(series({.least = 1, .most = 4}));
  memory.record(1, 100, true);
  memory.record(1, 120, false);
  EXPECT_EQ(memory.at(1).first, 100);
  EXPECT_EQ(memory.at(1).last, 120);
  EXPECT_EQ(memory.at(1).period, 2);
  EXPECT_FALSE(memory.at(1).congested);
  EXPECT_TRUE(memory.was_at(1));
  memory.enter(1);
  memory.record(1, 90, false);
  EXPECT_EQ(memory.at(1).first, 90);
}

TEST(ChannelMemory, forgets_one_side_and_the_level_itself) {
  ChannelMemory memory(series({.least = 1, .most = 4}));
  for (int level = 0; level < 4; ++level) memory.record(level, 10, level < 3);
  memory.forget_up_to(1);
  EXPECT_EQ(memory.at(1).last, 0);
  EXPECT_FALSE(memory.at(1).congested);
  EXPECT_EQ(memory.at(2).last, 10);
  EXPECT_TRUE(memory.at(2).congested);
  memory.forget_from(2);
  EXPECT_EQ(memory.at(1).last, 0);
  EXPECT_TRUE(std::isinf(memory.at(2).last));
  EXPECT_TRUE(memory.at(3).congested);
  EXPECT_EQ(memory.at(2).period, 3) << "when it was measured is still known";
}

TEST(ChannelMemory, takes_what_it_knows_along_to_another_series) {
  ChannelMemory memory(series({.least = 1, .most = 5}));
  for (int level = 0; level < 5; ++level) memory.record(level, memory.channels(level) * 10, true);
  memory.set_series(series({.least = 3, .most = 8}));
  EXPECT_EQ(memory.at(0).last, 30);
  EXPECT_EQ(memory.at(1).last, 40);
  EXPECT_EQ(memory.at(2).period, ChannelRecord::kNever) << "6 channels, and there were 5";
  EXPECT_EQ(memory.at(3).period, ChannelRecord::kNever);
}

}  // namespace
}  // namespace penstock
