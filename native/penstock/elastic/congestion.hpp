#pragma once

#include <cstdint>
#include <span>

namespace penstock::elastic {

// What a splitter measured of one channel in a period.
struct ChannelTime {
  // Waiting for room in the channel's queue.
  std::uint64_t blocked_ns = 0;
  // Everything the splitter did for this channel, waiting included. One thread blocks on one
  // channel at a time, so of the whole period all channels together could be blocked only once: the
  // mean would stay below 1 / channels, and from six channels on none would ever count as
  // congested.
  std::uint64_t period_ns = 0;
};

// Gedik et al. 2014, §4: any threshold from 0.01 to 0.3 serves.
inline constexpr double kCongestionThreshold = 0.2;

// The fraction of its time that a splitter is blocked, as a mean over the channels (G3). A channel
// that was not served in the period says nothing.
[[nodiscard]] constexpr double congestion_index(std::span<const ChannelTime> channels) {
  double sum = 0;
  int served = 0;
  for (const ChannelTime& each : channels) {
    if (each.period_ns == 0) continue;
    // Two readings of a clock may put the wait slightly above the time it is part of.
    const std::uint64_t blocked =
        each.blocked_ns < each.period_ns ? each.blocked_ns : each.period_ns;
    sum += static_cast<double>(blocked) / static_cast<double>(each.period_ns);
    ++served;
  }
  return served == 0 ? 0 : sum / served;
}

// A20: at the threshold counts, so that 0 means always.
[[nodiscard]] constexpr bool congested(double index, double threshold = kCongestionThreshold) {
  return index >= threshold;
}

}  // namespace penstock::elastic
