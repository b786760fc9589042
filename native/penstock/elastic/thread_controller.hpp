#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "penstock/elastic/decision.hpp"
#include "penstock/elastic/level_search.hpp"
#include "penstock/elastic/level_series.hpp"
#include "penstock/elastic/load_change.hpp"
#include "penstock/elastic/throughput_curve.hpp"

namespace penstock::elastic {

struct ThreadControllerOptions {
  // Empty means every level of the range.
  std::vector<int> levels;
  ThreadRange range;
  // The relative difference of throughput that counts as one (SENS).
  double sensitivity = 0.05;
  LoadChangeRule load_change = LoadChangeRule::kConfirmed;
};

// Decides with how many threads a PE runs (Schneider & Wu 2017, §4.2). Pure: throughput and the
// CPU rule are arguments and a period is one call, so a decision can be repeated and explained.
class ThreadController {
 public:
  // Older decisions are forgotten, so that a flow may run for years.
  static constexpr std::size_t kDecisionsKept = 4096;
  // A search ends by then with the best level it knows, unless the climb alone takes longer.
  static constexpr int kSearchPeriods = 15;
  static constexpr int kRefiningPeriods = 5;

  // Throws std::invalid_argument, naming the value and what is allowed.
  explicit ThreadController(ThreadControllerOptions options);

  // To be called once per period with the throughput of that period at level(). `cpu_ok` false
  // forbids a rise; it never causes a fall.
  Decision update(double throughput, bool cpu_ok = true);

  // Instead of update(), for a period in which not every thread did what the last decision asked
  // for: its throughput says nothing about level().
  Decision hold();

  // What was learnt outside the new limits is dropped. A level outside of them is left at once,
  // and then everything is dropped: the threads that forced the change distort all of it.
  void set_least_level(int level);
  void set_most_level(int level);
  // Goes to that level, or the nearest that is allowed, and measures there next.
  void try_level(int level);

  [[nodiscard]] int level() const noexcept { return level_; }
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  [[nodiscard]] ThreadRange range() const noexcept { return series_.range(); }
  [[nodiscard]] const LevelSeries& series() const noexcept { return series_; }
  [[nodiscard]] const ThroughputCurve& curve() const noexcept { return curve_; }
  [[nodiscard]] const std::deque<Decision>& decisions() const noexcept { return decisions_; }

 private:
  [[nodiscard]] std::optional<SearchStep> react_to_load(double throughput);
  [[nodiscard]] SearchStep search(bool cpu_ok);
  void set_range(ThreadRange range);
  void search_anew();
  const Decision& decide(const SearchStep& step, std::optional<double> throughput);

  LevelSeries series_;
  LevelSearch search_;
  LoadChangeDetector load_change_;
  LoadChangeRule rule_;
  ThroughputCurve curve_;
  int level_;
  bool settled_ = false;
  int searched_ = 0;
  std::uint64_t time_ = 0;
  std::deque<Decision> decisions_;
};

}  // namespace penstock::elastic
