#include "penstock/elastic/channel_series.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace penstock {
namespace {

using elastic::ChannelRange;
using elastic::channels_at;
using elastic::channels_of_levels;
using elastic::ChannelSeries;
using elastic::kChannelLimit;
using elastic::Scaling;

std::vector<int> all(ChannelRange range, Scaling scaling = Scaling::kRapid) {
  const ChannelSeries series(range, scaling);
  std::vector<int> channels;
  for (int level = 0; level < series.levels(); ++level) channels.push_back(series.channels(level));
  return channels;
}

// A15
TEST(ChannelSeries, is_the_one_printed_in_the_paper) {
  EXPECT_EQ(all({.least = 1, .most = 32}), (std::vector{1, 2, 3, 4, 6, 8, 11, 16, 23, 32}));
}

TEST(ChannelSeries, can_be_steady) {
  EXPECT_EQ(all({.least = 1, .most = 5}, Scaling::kSteady), (std::vector{1, 2, 3, 4, 5}));
}

TEST(ChannelSeries, includes_both_ends_of_its_range) {
  EXPECT_EQ(all({.least = 5, .most = 10}), (std::vector{5, 6, 8, 10}));
  EXPECT_EQ(all({.least = 7, .most = 7}), (std::vector{7}));
}

// A17
TEST(ChannelSeries, goes_on_outside_of_its_levels) {
  const ChannelSeries series({.least = 1, .most = 8}, Scaling::kRapid);
  EXPECT_EQ(series.channels(-1), 0);
  EXPECT_EQ(series.channels(6), 11);
  EXPECT_EQ(ChannelSeries({.least = 1, .most = 10}, Scaling::kRapid).channels(7), 11);
  EXPECT_EQ(channels_at(-1, Scaling::kRapid), 0);
  EXPECT_EQ(channels_at(-1, Scaling::kSteady), 0);
}

TEST(ChannelSeries, finds_the_level_of_a_number_of_channels) {
  const ChannelSeries series({.least = 3, .most = 16}, Scaling::kRapid);
  EXPECT_EQ(series.level_of(1), 0);
  EXPECT_EQ(series.level_of(3), 0);
  EXPECT_EQ(series.level_of(5), 1);
  EXPECT_EQ(series.level_of(6), 2);
  EXPECT_EQ(series.level_of(100), series.levels() - 1);
}

TEST(ChannelSeries, tells_the_most_channels_of_so_many_levels) {
  EXPECT_EQ(channels_of_levels(1, Scaling::kRapid), 1);
  EXPECT_EQ(channels_of_levels(10, Scaling::kRapid), 32);
  EXPECT_EQ(channels_of_levels(32, Scaling::kRapid), kChannelLimit);
  EXPECT_EQ(channels_of_levels(23, Scaling::kSteady), 23);
}

TEST(ChannelSeries, refuses_impossible_numbers) {
  EXPECT_THROW(static_cast<void>(channels_of_levels(0, Scaling::kRapid)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(channels_of_levels(33, Scaling::kRapid)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(channels_of_levels(kChannelLimit + 1, Scaling::kSteady)),
               std::invalid_argument);
  EXPECT_THROW(all({.least = 0, .most = 3}), std::invalid_argument);
  EXPECT_THROW(all({.least = 4, .most = 3}), std::invalid_argument);
  try {
    all({.least = 1, .most = kChannelLimit + 1});
    FAIL() << "65537 channels were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("most 65537"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace penstock
