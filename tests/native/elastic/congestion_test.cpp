#include "penstock/elastic/congestion.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace penstock {
namespace {

using elastic::ChannelTime;
using elastic::congested;
using elastic::congestion_index;

double index_of(const std::vector<ChannelTime>& channels) { return congestion_index(channels); }

TEST(Congestion, is_the_blocked_part_of_the_time) {
  EXPECT_DOUBLE_EQ(index_of({{.blocked_ns = 30, .period_ns = 100}}), 0.3);
}

TEST(Congestion, is_averaged_over_channels_whatever_time_each_took) {
  EXPECT_DOUBLE_EQ(index_of({{.blocked_ns = 100, .period_ns = 200}, {.period_ns = 10}}), 0.25);
}

// One thread that serves eight channels in turn and waits for each of them.
TEST(Congestion, of_one_splitter_does_not_shrink_with_the_number_of_channels) {
  EXPECT_DOUBLE_EQ(index_of(std::vector<ChannelTime>(8, {.blocked_ns = 90, .period_ns = 100})),
                   0.9);
}

TEST(Congestion, is_nothing_without_traffic) {
  EXPECT_EQ(index_of({}), 0);
  EXPECT_EQ(index_of({{.blocked_ns = 0, .period_ns = 0}}), 0);
  EXPECT_DOUBLE_EQ(index_of({{.blocked_ns = 50, .period_ns = 100}, {}}), 0.5);
}

TEST(Congestion, is_never_above_one) {
  EXPECT_EQ(index_of({{.blocked_ns = 101, .period_ns = 100}}), 1);
}

// A20
TEST(Congestion, begins_at_the_threshold) {
  EXPECT_TRUE(congested(0.2));
  EXPECT_FALSE(congested(0.19));
  EXPECT_TRUE(congested(0, 0));
  EXPECT_FALSE(congested(0.89, 0.9));
}

}  // namespace
}  // namespace penstock
