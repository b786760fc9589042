#pragma once

namespace penstock::elastic {

// Gedik et al. 2014, §4: any threshold from 0.01 to 0.3 serves.
inline constexpr double kCongestionThreshold = 0.2;

// A20: at the threshold counts, so that 0 means always.
[[nodiscard]] constexpr bool congested(double index, double threshold = kCongestionThreshold) {
  return index >= threshold;
}

}  // namespace penstock::elastic
