#include "penstock/elastic/channel_memory.hpp"

#include <limits>
#include <utility>

namespace penstock::elastic {

ChannelMemory::ChannelMemory(ChannelSeries series)
    : series_(std::move(series)), records_(static_cast<std::size_t>(series_.levels())) {}

const ChannelRecord& ChannelMemory::at(int level) const {
  static const ChannelRecord never;
  const bool inside = level >= 0 && level < series_.levels();
  return inside ? records_[static_cast<std::size_t>(level)] : never;
}

void ChannelMemory::record(int level, double throughput, bool congested) {
  ChannelRecord& here = record_of(level);
  here.period = period_++;
  here.last = throughput;
  here.congested = congested;
  if (!here.first) here.first = throughput;
}

void ChannelMemory::enter(int level) { record_of(level).first.reset(); }

void ChannelMemory::forget_up_to(int level) {
  for (int i = 0; i <= level; ++i) {
    record_of(i).congested = false;
    record_of(i).last = 0;
  }
}

void ChannelMemory::forget_from(int level) {
  for (int i = level; i < series_.levels(); ++i) {
    record_of(i).congested = true;
    record_of(i).last = std::numeric_limits<double>::infinity();
  }
}

void ChannelMemory::set_series(ChannelSeries series) {
  std::vector<ChannelRecord> records(static_cast<std::size_t>(series.levels()));
  for (int level = 0; level < series.levels(); ++level) {
    const int before = series_.level_of(series.channels(level));
    if (series_.channels(before) == series.channels(level)) {
      records[static_cast<std::size_t>(level)] = record_of(before);
    }
  }
  series_ = std::move(series);
  records_ = std::move(records);
}

}  // namespace penstock::elastic
