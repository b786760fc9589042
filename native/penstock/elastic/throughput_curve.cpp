#include "penstock/elastic/throughput_curve.hpp"

#include <algorithm>
#include <iterator>

#include "penstock/base/check.hpp"

namespace penstock::elastic {

void ThroughputCurve::record(int level, double throughput, std::uint64_t time) {
  ThreadRecord& record = records_[level];
  if (record.samples == 0) record.first_throughput = throughput;
  record.last_time = time;
  record.last_throughput = throughput;
  if (record.samples < kSamplesInMean) {
    ++record.samples;
    record.mean_throughput += (throughput - record.mean_throughput) / record.samples;
  }
}

void ThroughputCurve::untrust_outside(int least, int most) {
  std::erase_if(records_,
                [&](const auto& entry) { return entry.first < least || entry.first > most; });
}

const ThreadRecord* ThroughputCurve::trusted(int level) const {
  const auto found = records_.find(level);
  return found == records_.end() ? nullptr : &found->second;
}

ThroughputCurve::Point ThroughputCurve::lowest() const {
  PENSTOCK_CHECK(!records_.empty(), "a curve without records has no lowest level");
  return point(*records_.begin());
}

ThroughputCurve::Point ThroughputCurve::highest() const {
  PENSTOCK_CHECK(!records_.empty(), "a curve without records has no highest level");
  return point(*records_.rbegin());
}

ThroughputCurve::Point ThroughputCurve::best() const {
  PENSTOCK_CHECK(!records_.empty(), "a curve without records has no best level");
  return point(*std::ranges::max_element(
      records_, {}, [](const auto& entry) { return entry.second.mean_throughput; }));
}

std::optional<ThroughputCurve::Point> ThroughputCurve::next_below(int level) const {
  const auto here = records_.lower_bound(level);
  if (here == records_.begin()) return std::nullopt;
  return point(*std::prev(here));
}

bool ThroughputCurve::may_rise_beyond_highest(double sensitivity) const {
  Point gained = lowest();
  int without_gain = 0;
  for (const auto& entry : records_) {
    const Point here = point(entry);
    if (here.throughput > gained.throughput * (1 + sensitivity)) {
      gained = here;
      without_gain = 0;
    } else if (here.level != gained.level) {
      ++without_gain;
    }
  }
  const bool lost = highest().throughput < gained.throughput * (1 - sensitivity);
  return !lost && without_gain <= 1;
}

ThroughputCurve::Point ThroughputCurve::point(
    const std::map<int, ThreadRecord>::value_type& entry) {
  return {.level = entry.first, .throughput = entry.second.mean_throughput};
}

}  // namespace penstock::elastic
