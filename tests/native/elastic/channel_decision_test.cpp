#include "penstock/elastic/channel_decision.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace penstock {
namespace {

using elastic::ChannelDecision;
using elastic::ChannelReason;
using elastic::name;
using elastic::to_text;

constexpr int kReasons = static_cast<int>(ChannelReason::kLimitsChanged) + 1;

TEST(ChannelDecision, says_what_changed_and_which_numbers_led_to_it) {
  const ChannelDecision decision{.previous = 6,
                                 .channels = 4,
                                 .reason = ChannelReason::kRemoteCongestion,
                                 .before = 410,
                                 .other_channels = 4,
                                 .other_throughput = 400};
  EXPECT_EQ(to_text(decision),
            "6 -> 4 channels: still congested at 410 with 6 after 400 with 4: the bottleneck is "
            "behind the channels, and the last ones bring nothing");
}

TEST(ChannelDecision, says_that_nothing_changed) {
  const ChannelDecision decision{
      .previous = 1, .channels = 1, .reason = ChannelReason::kLeastChannels, .before = 0.5};
  EXPECT_EQ(to_text(decision),
            "stay at 1 channel: not congested at 0.5 with 1, and there are no fewer channels");
}

TEST(ChannelDecision, says_what_was_forgotten) {
  const ChannelDecision decision{.previous = 2,
                                 .channels = 3,
                                 .reason = ChannelReason::kCongested,
                                 .less_load = true,
                                 .more_load = true,
                                 .before = 200};
  EXPECT_EQ(to_text(decision),
            "2 -> 3 channels: congested at 200 with 2, and more channels are untried; the load "
            "fell, so fewer channels are measured again; the load rose, so more channels are "
            "measured again");
}

TEST(ChannelDecision, has_its_own_word_and_sentence_for_every_reason) {
  std::set<std::string> words;
  std::set<std::string> sentences;
  for (int i = 0; i < kReasons; ++i) {
    const auto reason = static_cast<ChannelReason>(i);
    words.emplace(name(reason));
    sentences.insert(to_text({.previous = 2, .channels = 2, .reason = reason}));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(kReasons));
  EXPECT_EQ(words.count("unknown"), 0U);
}

}  // namespace
}  // namespace penstock
