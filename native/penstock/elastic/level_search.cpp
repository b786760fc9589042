#include "penstock/elastic/level_search.hpp"

#include <optional>

namespace penstock::elastic {

namespace {

using Point = ThroughputCurve::Point;

// No speed-up is more than linear, so between two levels the curve stays below the line from the
// origin through the lower one. That bounds what a peak between them could gain over `best`.
double possible_gain(Point low, int high, double best) {
  if (best <= 0) return 0;
  return low.throughput * high / low.level / best - 1;
}

}  // namespace

SearchStep LevelSearch::next(const LevelSeries& series, const ThroughputCurve& curve,
                             int current) const {
  const Point top = curve.highest();
  if (const auto up = series.above(top.level); up && curve.may_rise_beyond_highest(sensitivity_)) {
    const auto under = curve.next_below(top.level);
    if (!under) return {.level = *up, .reason = Reason::kNothingAbove, .other = top};
    const bool gained = top.throughput > under->throughput * (1 + sensitivity_);
    return {
        .level = *up, .reason = gained ? Reason::kRising : Reason::kNotYetFalling, .other = *under};
  }
  const Point chosen = curve.worthiest(sensitivity_);
  if (chosen.level == curve.lowest().level) {
    if (const auto down = series.below(chosen.level)) {
      return {.level = *down, .reason = Reason::kNothingBelow, .other = chosen};
    }
  }
  if (const auto step = refine(series, curve)) return *step;
  return finish(curve, current);
}

std::optional<SearchStep> LevelSearch::refine(const LevelSeries& series,
                                              const ThroughputCurve& curve) const {
  const Point chosen = curve.worthiest(sensitivity_);
  const double best = curve.best().throughput;
  double gain = sensitivity_;
  std::optional<SearchStep> step;
  const auto consider = [&](double possible, std::optional<int> level, Reason reason) {
    if (!level || possible <= gain) return;
    gain = possible;
    step = {.level = *level, .reason = reason, .other = chosen};
  };
  if (const auto high = curve.next_above(chosen.level)) {
    consider(possible_gain(chosen, high->level, best),
             series.between(chosen.level, high->level, (chosen.level + high->level) / 2.0),
             Reason::kRefineAbove);
  }
  if (const auto low = curve.next_below(chosen.level); low && low->throughput > 0) {
    // Below `enough` even a linear speed-up would not do, so the middle of the rest is tried.
    const double enough = low->level * best / low->throughput;
    consider(possible_gain(*low, chosen.level, best),
             series.between(low->level, chosen.level, (enough + chosen.level) / 2),
             Reason::kRefineBelow);
  }
  const bool sure = curve.trusted(chosen.level)->samples >= kSamplesToSettle;
  if (step && !sure && gain <= kLargeGain * sensitivity_) {
    return SearchStep{.level = chosen.level, .reason = Reason::kMeasureAgain, .other = chosen};
  }
  return step;
}

SearchStep LevelSearch::finish(const ThroughputCurve& curve, int current) const {
  const Point chosen = curve.worthiest(sensitivity_);
  Reason reason = Reason::kSettled;
  if (chosen.level > current) {
    reason = Reason::kBetterAbove;
  } else if (chosen.level < current) {
    reason = Reason::kNoGain;
  } else if (curve.trusted(chosen.level)->samples < kSamplesToSettle) {
    reason = Reason::kMeasureAgain;
  }
  return {.level = chosen.level, .reason = reason, .other = chosen};
}

}  // namespace penstock::elastic
