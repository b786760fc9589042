#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "penstock/elastic/channel_series.hpp"

namespace penstock::elastic {

// What is remembered of one level, under the names of Gedik et al. 2014, §4.1.
struct ChannelRecord {
  static constexpr std::int64_t kNever = -1;

  std::int64_t period = kNever;                           // P_i: when the level was last measured
  bool congested = true;                                  // C_i
  double last = std::numeric_limits<double>::infinity();  // T-_i: throughput of that period
  std::optional<double> first;  // T+_i: throughput of the first period of the stay; none before it
};

// What is remembered of all levels, and the period P. Levels outside of the series were never
// visited (A17). Starts as Algorithm 1 does.
class ChannelMemory {
 public:
  explicit ChannelMemory(ChannelSeries series);

  [[nodiscard]] const ChannelSeries& series() const noexcept { return series_; }
  [[nodiscard]] int channels(int level) const { return series_.channels(level); }
  [[nodiscard]] const ChannelRecord& at(int level) const;
  // Whether the period before this one was spent at the level.
  [[nodiscard]] bool was_at(int level) const { return at(level).period == period_ - 1; }

  // Ends the period with what was measured in it.
  void record(int level, double throughput, bool congested);
  // A stay at this level begins.
  void enter(int level);
  void forget_up_to(int level);
  void forget_from(int level);
  // What was learnt of numbers of channels that are in both series is kept.
  void set_series(ChannelSeries series);

 private:
  ChannelRecord& record_of(int level) { return records_[static_cast<std::size_t>(level)]; }

  ChannelSeries series_;
  std::vector<ChannelRecord> records_;
  std::int64_t period_ = 1;
};

}  // namespace penstock::elastic
