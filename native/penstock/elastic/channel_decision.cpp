#include "penstock/elastic/channel_decision.hpp"

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

std::string with(double throughput, int channels) {
  return number(throughput) + " with " + std::to_string(channels);
}

std::string measured(const ChannelDecision& decision) {
  return with(decision.before.value_or(0), decision.previous);
}

std::string other(const ChannelDecision& decision) {
  return with(decision.other_throughput, decision.other_channels);
}

// Reasons of a splitter that is blocked.
std::string why_congested(const ChannelDecision& decision) {
  const std::string here = "congested at " + measured(decision);
  switch (decision.reason) {
    case ChannelReason::kCongested:
      return here + ", and more channels are untried";
    case ChannelReason::kBetterAbove:
      return here + ", and more channels do better: " + other(decision);
    case ChannelReason::kMeasureAgain:
      return here + ", and it is long since more channels brought " + other(decision);
    case ChannelReason::kNoGainAbove:
      return here + ", but more channels bring no more: " + other(decision);
    case ChannelReason::kMostChannels:
      return here + ", but there are no more channels";
    default:
      return "still " + here + " after " + other(decision) +
             ": the bottleneck is behind the channels, and the last ones bring nothing";
  }
}

std::string why(const ChannelDecision& decision) {
  switch (decision.reason) {
    case ChannelReason::kNotCongested:
      return "not congested at " + measured(decision) + ", so fewer channels may do";
    case ChannelReason::kCongestedBelow:
      return "not congested at " + measured(decision) + ", and fewer channels were congested";
    case ChannelReason::kLeastChannels:
      return "not congested at " + measured(decision) + ", and there are no fewer channels";
    case ChannelReason::kHeld:
      return "the last change has not taken effect yet";
    case ChannelReason::kLimitsChanged:
      return "the limits changed, and " + std::to_string(decision.previous) +
             " channels are no longer to be had";
    default:
      return why_congested(decision);
  }
}

std::string forgotten(const ChannelDecision& decision) {
  std::string text;
  if (decision.less_load) text += "; the load fell, so fewer channels are measured again";
  if (decision.more_load) text += "; the load rose, so more channels are measured again";
  return text;
}

}  // namespace

std::string_view name(ChannelReason reason) {
  switch (reason) {
    case ChannelReason::kCongested:
      return "congested";
    case ChannelReason::kBetterAbove:
      return "better_above";
    case ChannelReason::kMeasureAgain:
      return "measure_again";
    case ChannelReason::kNoGainAbove:
      return "no_gain_above";
    case ChannelReason::kMostChannels:
      return "most_channels";
    case ChannelReason::kNotCongested:
      return "not_congested";
    case ChannelReason::kCongestedBelow:
      return "congested_below";
    case ChannelReason::kLeastChannels:
      return "least_channels";
    case ChannelReason::kRemoteCongestion:
      return "remote_congestion";
    case ChannelReason::kHeld:
      return "held";
    case ChannelReason::kLimitsChanged:
      return "limits_changed";
  }
  return "unknown";
}

std::string to_text(const ChannelDecision& decision) {
  const std::string channels = decision.channels == 1 ? " channel: " : " channels: ";
  const std::string change =
      decision.channels == decision.previous
          ? "stay at " + std::to_string(decision.channels)
          : std::to_string(decision.previous) + " -> " + std::to_string(decision.channels);
  return change + channels + why(decision) + forgotten(decision);
}

}  // namespace penstock::elastic
