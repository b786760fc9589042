#include "penstock/elastic/channel_load.hpp"

#include <algorithm>

namespace penstock::elastic {

namespace {

ChannelLoad load_at_same_level(const ChannelMemory& memory, int level, double throughput,
                               double step) {
  const double first = memory.at(level).first.value_or(throughput);
  const int here = memory.channels(level);
  const double one_channel = first / here;
  const int fewer = here - memory.channels(level - 1);
  const int more = memory.channels(level + 1) - here;
  if (first - throughput > step * fewer * one_channel) return ChannelLoad::kLess;
  if (throughput - first > step * more * one_channel) return ChannelLoad::kMore;
  return ChannelLoad::kUnknown;
}

}  // namespace

double ChannelSensitivity::margin_above(const ChannelSeries& series, int level) const {
  const double here = series.channels(level);
  return std::min(margin, (series.channels(level + 1) - here) / here / 2);
}

ChannelLoad load_by_congestion(const ChannelMemory& memory, int level, bool congested) {
  if (memory.was_at(level) && memory.at(level).congested != congested) {
    return congested ? ChannelLoad::kMore : ChannelLoad::kLess;
  }
  if (memory.was_at(level + 1) && memory.at(level + 1).congested && !congested) {
    return ChannelLoad::kLess;
  }
  if (memory.was_at(level - 1) && !memory.at(level - 1).congested && congested) {
    return ChannelLoad::kMore;
  }
  return ChannelLoad::kUnknown;
}

ChannelLoad load_by_throughput(const ChannelMemory& memory, int level, double throughput,
                               ChannelSensitivity sensitivity) {
  if (memory.was_at(level)) return load_at_same_level(memory, level, throughput, sensitivity.step);
  if (memory.was_at(level + 1)) {
    const double margin = sensitivity.margin_above(memory.series(), level);
    const bool more = throughput > memory.at(level + 1).last * (1 + margin);
    return more ? ChannelLoad::kMore : ChannelLoad::kUnknown;
  }
  if (memory.was_at(level - 1)) {
    const double margin = sensitivity.margin_above(memory.series(), level - 1);
    const bool less = throughput < memory.at(level - 1).last * (1 - margin);
    return less ? ChannelLoad::kLess : ChannelLoad::kUnknown;
  }
  return ChannelLoad::kUnknown;
}

}  // namespace penstock::elastic
