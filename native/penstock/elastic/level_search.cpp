#include "penstock/elastic/level_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace penstock::elastic {

namespace {

using Estimate = CurveShape::Estimate;
using Point = ThroughputCurve::Point;

// As multiples of the sensitivity: a gain that is worth a look into a gap, and at a known level,
constexpr double kGainInGap = 0.2;
constexpr double kGainOfRival = 0.4;
// how near to a known level one more would teach nothing new, and the width of the stretch for
// which a known level stands.
constexpr double kTooNear = 0.5;
constexpr double kWidthOfLevel = 1;

// Levels of a gap that are looked at.
constexpr int kProbes = 15;

Point point(const Estimate& estimate) {
  return {.level = estimate.level, .throughput = estimate.mean};
}

}  // namespace

SearchStep LevelSearch::next(const LevelSeries& series, const ThroughputCurve& curve, int current,
                             int remaining) const {
  if (const auto step = climb(series, curve)) return *step;
  if (curve.best().throughput <= 0) return finish(curve, current);
  const CurveShape shape(curve, sensitivity_);
  const Estimate& chosen = shape.choice();
  if (chosen.level == curve.lowest().level) {
    if (const auto down = series.below(chosen.level)) {
      return {.level = *down, .reason = Reason::kNothingBelow, .other = point(chosen)};
    }
  }
  if (const auto oldest = shape.doubtful(); doubts_ && oldest) {
    const Point doubted = point(shape.estimates()[*oldest]);
    return {.level = doubted.level, .reason = Reason::kDoubtful, .other = doubted};
  }
  const Prospect gap = widest_gap(series, shape);
  const Prospect known = rival(shape);
  const auto& step = known.room > gap.room ? known.step : gap.step;
  if (doubts_ && (!step || remaining <= 1)) {
    if (const auto outdated = check_below(curve, chosen.level)) return *outdated;
  }
  return step ? *step : finish(curve, current);
}

std::optional<SearchStep> LevelSearch::climb(const LevelSeries& series,
                                             const ThroughputCurve& curve) const {
  const Point top = curve.highest();
  const auto up = series.above(top.level);
  if (!up || !curve.may_rise_beyond_highest(sensitivity_)) return std::nullopt;
  const auto under = curve.next_below(top.level);
  if (!under) return SearchStep{.level = *up, .reason = Reason::kNothingAbove, .other = top};
  const bool gained = top.throughput > under->throughput * (1 + sensitivity_);
  return SearchStep{
      .level = *up, .reason = gained ? Reason::kRising : Reason::kNotYetFalling, .other = *under};
}

std::optional<SearchStep> LevelSearch::check_below(const ThroughputCurve& curve, int chosen) const {
  const double enough = curve.trusted(chosen)->mean_throughput * (1 - sensitivity_);
  const std::uint64_t climbed = curve.trusted(curve.highest().level)->last_time;
  for (auto below = curve.next_below(chosen); below; below = curve.next_below(below->level)) {
    const ThreadRecord& record = *curve.trusted(below->level);
    if (record.samples == 1 && record.last_time < climbed) {
      return SearchStep{.level = below->level, .reason = Reason::kCheckBelow, .other = *below};
    }
    if (below->throughput < enough) break;
  }
  return std::nullopt;
}

LevelSearch::Prospect LevelSearch::widest_gap(const LevelSeries& series,
                                              const CurveShape& shape) const {
  Prospect widest;
  for (std::size_t i = 0; i + 1 < shape.estimates().size(); ++i) {
    const Prospect gap = gap_above(series, shape, i);
    if (gap.room > widest.room) widest = gap;
  }
  return widest;
}

LevelSearch::Prospect LevelSearch::gap_above(const LevelSeries& series, const CurveShape& shape,
                                             std::size_t i) const {
  const int low = shape.estimates()[i].level;
  const int high = shape.estimates()[i + 1].level;
  const double from = std::log(low);
  const double step = (std::log(high) - from) / (kProbes + 1);
  const double worth_it = shape.best().throughput * (1 + kGainInGap * sensitivity_);
  std::vector<std::pair<double, double>> rooms;
  double room = 0;
  for (int k = 1; k <= kProbes; ++k) {
    const auto level = series.between(low, high, std::exp(from + k * step));
    if (!level) return {};
    const double gain = shape.most_at(*level) / worth_it - 1;
    if (gain <= 0) continue;
    // The root keeps one high hope from outweighing a wide stretch of modest ones.
    room += std::sqrt(gain) * step;
    rooms.emplace_back(*level, room);
  }
  if (rooms.empty()) return {};
  // Half of the room on either side: whatever is found there, half of it is settled.
  const auto middle = std::ranges::find_if(rooms, [room](auto r) { return r.second >= room / 2; });
  const double width = std::log(high) - from;
  const double margin = std::min(kTooNear * sensitivity_, width / 2);
  const double wanted = from + std::clamp(std::log(middle->first) - from, margin, width - margin);
  const int level = *series.between(low, high, std::exp(wanted));
  const Estimate& chosen = shape.choice();
  const Reason reason = level > chosen.level ? Reason::kRefineAbove : Reason::kRefineBelow;
  return {.room = room,
          .step = SearchStep{.level = level, .reason = reason, .other = point(chosen)}};
}

LevelSearch::Prospect LevelSearch::rival(const CurveShape& shape) const {
  const Estimate& chosen = shape.choice();
  const double worth_it = chosen.throughput * (1 + kGainOfRival * sensitivity_);
  const Estimate* rival = nullptr;
  double gain = 0;
  for (const Estimate& other : shape.estimates()) {
    if (other.level == chosen.level) continue;
    if (std::min(other.samples, chosen.samples) >= kSamplesOfRival) continue;
    const double possible = shape.most_at(other.level) / worth_it - 1;
    if (possible <= gain) continue;
    gain = possible;
    rival = &other;
  }
  if (rival == nullptr) return {};
  const double room = std::sqrt(gain) * kWidthOfLevel * sensitivity_;
  if (rival->samples > chosen.samples) {
    return {.room = room,
            .step = SearchStep{
                .level = chosen.level, .reason = Reason::kMeasureAgain, .other = point(chosen)}};
  }
  return {.room = room,
          .step = SearchStep{
              .level = rival->level, .reason = Reason::kMeasureRival, .other = point(chosen)}};
}

SearchStep LevelSearch::finish(const ThroughputCurve& curve, int current) const {
  const Point chosen = curve.best().throughput > 0 ? point(CurveShape(curve, sensitivity_).choice())
                                                   : curve.lowest();
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
