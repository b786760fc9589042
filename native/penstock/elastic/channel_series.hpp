#pragma once

#include <vector>

namespace penstock::elastic {

// How fast the numbers of channels grow from level to level (P6).
enum class Scaling { kRapid, kSteady };

struct ChannelRange {
  int least = 1;
  int most = 32;

  bool operator==(const ChannelRange&) const = default;
};

inline constexpr int kChannelLimit = 65536;

// Channels of a level in an unlimited series: N_L = floor(0.5 + 2^(0.5 (L + 1))), that is 1, 2, 3,
// 4, 6, 8, 11, 16, 23, 32, ... (A15), or L + 1 when steady. N_-1 is 0 (A17).
[[nodiscard]] int channels_at(int level, Scaling scaling);

// The most channels of so many levels (L*). Throws std::invalid_argument for none or too many.
[[nodiscard]] int channels_of_levels(int levels, Scaling scaling);

// The numbers of channels to choose from: those of the series inside a range, and its two ends.
class ChannelSeries {
 public:
  // Throws std::invalid_argument unless 1 <= least <= most <= kChannelLimit.
  ChannelSeries(ChannelRange range, Scaling scaling);

  [[nodiscard]] int levels() const noexcept { return static_cast<int>(channels_.size()); }
  // Below the first level it is 0, and above the last what the unlimited series has next (A17).
  [[nodiscard]] int channels(int level) const;
  // The highest level with no more channels than these, or the first.
  [[nodiscard]] int level_of(int channels) const noexcept;
  [[nodiscard]] ChannelRange range() const noexcept {
    return {.least = channels_.front(), .most = channels_.back()};
  }
  [[nodiscard]] Scaling scaling() const noexcept { return scaling_; }

 private:
  std::vector<int> channels_;
  int next_ = 0;
  Scaling scaling_;
};

}  // namespace penstock::elastic
