#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock::elastic {

// Why a number of channels was chosen. The principles are those of Gedik et al. 2014, §4.
enum class ChannelReason {
  kCongested,         // P1: more channels, which are untried
  kBetterAbove,       // P1: more channels, which are known to yield more
  kMeasureAgain,      // P1: more channels, because what is known of them is too old (A18)
  kNoGainAbove,       // P1 does not hold: more channels are known to yield no more
  kMostChannels,      // P1 does not hold: there are no more channels
  kNotCongested,      // P2: fewer channels
  kCongestedBelow,    // P2 does not hold: fewer channels are known to be congested
  kLeastChannels,     // P2 does not hold: there are no fewer channels
  kRemoteCongestion,  // P5: the channels just added bring nothing, so the bottleneck is elsewhere
  kHeld,              // the last change has not happened yet, so nothing was learnt
  kLimitsChanged,     // the least or most channels were set, and these are no longer to be had
};

// The word for a reason in metrics and in Python, such as "remote_congestion".
[[nodiscard]] std::string_view name(ChannelReason reason);

// One step of a channel controller, with what users need to understand it.
struct ChannelDecision {
  std::uint64_t period = 0;
  int previous = 0;
  int channels = 0;
  ChannelReason reason = ChannelReason::kHeld;
  // P3, P4: whether what was known of fewer, or of more channels was forgotten before deciding.
  bool less_load = false;
  bool more_load = false;
  // Throughput of the period that was decided upon; empty when it was not measured.
  std::optional<double> before;
  // Throughput of the next measured period, with the channels decided for; empty until then.
  std::optional<double> after;
  // The channels whose throughput the reason compares with, and that throughput.
  int other_channels = 0;
  double other_throughput = 0;
};

// A sentence such as "2 -> 3 channels: congested at 190 with 2, and more channels are untried".
[[nodiscard]] std::string to_text(const ChannelDecision& decision);

}  // namespace penstock::elastic
