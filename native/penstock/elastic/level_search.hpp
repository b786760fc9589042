#pragma once

#include <optional>

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
// The paper's six rules compare a level with its two neighbours. Here they look at the whole
// curve, so the step depends on what is known and not on the way it became known: first up by
// doubling, then down by halving if the lowest level known is the best, then into the gaps
// beside the best level for as long as a peak in there would be worth the trip.
class LevelSearch {
 public:
  // Samples a level needs before the search ends there: its first one may have been lucky.
  static constexpr int kSamplesToSettle = 2;
  // A gap that can hide a gain of this many times the sensitivity is looked into at once. For a
  // smaller one the best level is measured again first: looking around a lucky sample is a waste.
  static constexpr double kLargeGain = 5;

  explicit LevelSearch(double sensitivity) : sensitivity_(sensitivity) {}

  // The next level to measure. It is `current` with kSettled once nothing is left to learn.
  [[nodiscard]] SearchStep next(const LevelSeries& series, const ThroughputCurve& curve,
                                int current) const;
  // The level to use if nothing more can be learnt.
  [[nodiscard]] SearchStep finish(const ThroughputCurve& curve, int current) const;

 private:
  // The step into the gap beside the best level that can hide the larger gain, if it is worth it.
  [[nodiscard]] std::optional<SearchStep> refine(const LevelSeries& series,
                                                 const ThroughputCurve& curve) const;
  double sensitivity_;
};

}  // namespace penstock::elastic
