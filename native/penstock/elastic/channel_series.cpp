#include "penstock/elastic/channel_series.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <string>

namespace penstock::elastic {

namespace {

// N_31 is 65536.
constexpr int kMostRapidLevels = 32;

void check(ChannelRange range) {
  if (range.least >= 1 && range.least <= range.most && range.most <= kChannelLimit) return;
  throw std::invalid_argument(
      "least " + std::to_string(range.least) + " and most " + std::to_string(range.most) +
      " channels; it must be 1 <= least <= " + "most <= " + std::to_string(kChannelLimit));
}

}  // namespace

int channels_at(int level, Scaling scaling) {
  if (level < 0) return 0;
  if (scaling == Scaling::kSteady) return level + 1;
  return static_cast<int>(std::floor(0.5 + std::exp2(0.5 * (level + 1))));
}

int channels_of_levels(int levels, Scaling scaling) {
  const int most = scaling == Scaling::kRapid ? kMostRapidLevels : kChannelLimit;
  if (levels >= 1 && levels <= most) return channels_at(levels - 1, scaling);
  throw std::invalid_argument("levels is " + std::to_string(levels) + "; it must be 1 to " +
                              std::to_string(most) + ", such as 10 for up to 32 channels");
}

ChannelSeries::ChannelSeries(ChannelRange range, Scaling scaling) : scaling_(scaling) {
  check(range);
  channels_.push_back(range.least);
  for (int level = 0; next_ <= range.most; ++level) {
    next_ = channels_at(level, scaling);
    if (next_ > range.least && next_ < range.most) channels_.push_back(next_);
  }
  if (range.most > range.least) channels_.push_back(range.most);
}

int ChannelSeries::channels(int level) const {
  if (level < 0) return 0;
  return level < levels() ? channels_[static_cast<std::size_t>(level)] : next_;
}

int ChannelSeries::level_of(int channels) const noexcept {
  const auto above = std::ranges::upper_bound(channels_, channels);
  return std::max(0, static_cast<int>(std::distance(channels_.begin(), above)) - 1);
}

}  // namespace penstock::elastic
