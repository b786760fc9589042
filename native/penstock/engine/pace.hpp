#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace penstock::engine {

// So many rows of input had come through by then.
struct PacePoint {
  std::int64_t at_ns = 0;  // since the first rows were asked for
  std::int64_t rows = 0;
};

// Rows over time, in a bounded number of points: when there are too many, every second one goes,
// and new ones come half as often. So a flow may run for years.
class Pace {
 public:
  static constexpr std::size_t kMost = 512;
  static constexpr std::int64_t kFirstIntervalNs = 5'000'000;

  // Whether it is time for a point.
  [[nodiscard]] bool wants(std::int64_t at_ns) const noexcept { return at_ns >= next_ns_; }

  void add(PacePoint point) {
    if (points_.size() == kMost) thin_out();
    points_.push_back(point);
    next_ns_ = point.at_ns + interval_ns_;
  }

  [[nodiscard]] const std::vector<PacePoint>& points() const noexcept { return points_; }

 private:
  void thin_out() {
    for (std::size_t i = 0; 2 * i + 1 < points_.size(); ++i) points_[i] = points_[2 * i + 1];
    points_.resize(points_.size() / 2);
    interval_ns_ *= 2;
  }

  std::vector<PacePoint> points_;
  std::int64_t interval_ns_ = kFirstIntervalNs;
  std::int64_t next_ns_ = 0;
};

}  // namespace penstock::engine
