#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace penstock::elastic {

// What is known about one thread level (Schneider & Wu 2017, Fig. 7). A level without a record is
// one that is not trusted.
struct ThreadRecord {
  std::uint64_t last_time = 0;
  double first_throughput = 0;
  double last_throughput = 0;
  // Over the first samples only, so that a slow drift is noticed instead of followed.
  double mean_throughput = 0;
  int samples = 0;
};

// Throughput against thread level, as far as it was measured and is still trusted.
class ThroughputCurve {
 public:
  static constexpr int kSamplesInMean = 5;

  struct Point {
    int level = 0;
    double throughput = 0;
  };

  void record(int level, double throughput, std::uint64_t time);
  void untrust_all() noexcept { records_.clear(); }
  void untrust_outside(int least, int most);

  // Null when the level is not trusted.
  [[nodiscard]] const ThreadRecord* trusted(int level) const;
  [[nodiscard]] bool empty() const noexcept { return records_.empty(); }
  // By rising level.
  [[nodiscard]] const std::map<int, ThreadRecord>& records() const noexcept { return records_; }

  // These need at least one record.
  [[nodiscard]] Point lowest() const;
  [[nodiscard]] Point highest() const;
  [[nodiscard]] Point best() const;

  [[nodiscard]] std::optional<Point> next_below(int level) const;

  // Whether the curve may go on rising beyond its highest level: it gained more than `sensitivity`
  // there, or over the last two levels together, or this is the first level without a gain.
  // A real loss ends the climb at once.
  [[nodiscard]] bool may_rise_beyond_highest(double sensitivity) const;

 private:
  static Point point(const std::map<int, ThreadRecord>::value_type& entry);

  std::map<int, ThreadRecord> records_;
};

}  // namespace penstock::elastic
