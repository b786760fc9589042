#pragma once

#include <optional>

#include "penstock/elastic/curve_shape.hpp"
#include "penstock/elastic/decision.hpp"
#include "penstock/elastic/level_series.hpp"
#include "penstock/elastic/throughput_curve.hpp"

namespace penstock::elastic {

// Where to go next, why, and which known point of the curve says so.
struct SearchStep {
  int level = 0;
  Reason reason = Reason::kSettled;
  ThroughputCurve::Point other;
};

// Looks for the peak of a curve that rises, then stays level or falls (Schneider & Wu 2017,
// §4.2.2), and prefers fewer threads where throughput is about the same.
//
// The paper's six rules compare a level with its two neighbours. Here they look at the shape of the
// whole curve, so the step depends on what is known and not on the way it became known: first up by
// doubling, then down by halving if the lowest level known is the best, then into the gap that
// leaves most room for a better level, or once more to a level that may only have had bad luck.
class LevelSearch {
 public:
  // Samples the level needs on which the search settles, since its first one may be luck; and as
  // many as are spent on a level that may be better.
  static constexpr int kSamplesToSettle = 2;
  static constexpr int kSamplesOfRival = 3;

  // With `doubts` it checks measurements that a change of load may have outdated.
  explicit LevelSearch(double sensitivity, bool doubts = true)
      : sensitivity_(sensitivity), doubts_(doubts) {}

  // The next level to measure. It is `current` with kSettled once nothing is left to learn.
  // `remaining` is how many levels can be measured before finish(), this one included.
  [[nodiscard]] SearchStep next(const LevelSeries& series, const ThroughputCurve& curve,
                                int current, int remaining) const;
  // The level to use if nothing more can be learnt.
  [[nodiscard]] SearchStep finish(const ThroughputCurve& curve, int current) const;

 private:
  // A step and how much may be gained by it, summed up over the levels that it tells about.
  struct Prospect {
    double room = 0;
    std::optional<SearchStep> step;
  };

  [[nodiscard]] std::optional<SearchStep> climb(const LevelSeries& series,
                                                const ThroughputCurve& curve) const;
  // A load that changed on the way up leaves low levels with what they yielded before it. The
  // nearest of them below the chosen level shows it; levels measured since only look like a peak.
  [[nodiscard]] std::optional<SearchStep> check_below(const ThroughputCurve& curve,
                                                      int chosen) const;
  [[nodiscard]] Prospect widest_gap(const LevelSeries& series, const CurveShape& shape) const;
  [[nodiscard]] Prospect gap_above(const LevelSeries& series, const CurveShape& shape,
                                   std::size_t i) const;
  [[nodiscard]] Prospect rival(const CurveShape& shape) const;

  double sensitivity_;
  bool doubts_;
};

}  // namespace penstock::elastic
