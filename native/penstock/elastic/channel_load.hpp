#pragma once

#include "penstock/elastic/channel_memory.hpp"

namespace penstock::elastic {

// How the load has changed since the period before.
enum class ChannelLoad { kUnknown, kLess, kMore };

// What counts as a change of throughput.
struct ChannelSensitivity {
  // The part of what as many channels would ideally bring that throughput must change by at one
  // level: s = 0.1 + 0.9 (1 - sensitivity), so 1 is the most sensitive (A19).
  double step = 0.55;
  // The relative difference below which two levels do as well as each other (A18); 0 is the paper.
  double margin = 0;

  // The margin between a level and the one above. Never more than half of what the additional
  // channels would ideally bring: else 20 -> 21 channels could not show that they help.
  [[nodiscard]] double margin_above(const ChannelSeries& series, int level) const;
};

// Algorithm 3 of Gedik et al. 2014: what this period at `level` tells against what is remembered.
[[nodiscard]] ChannelLoad load_by_congestion(const ChannelMemory& memory, int level,
                                             bool congested);
[[nodiscard]] ChannelLoad load_by_throughput(const ChannelMemory& memory, int level,
                                             double throughput, ChannelSensitivity sensitivity);

}  // namespace penstock::elastic
