#include "penstock/elastic/curve_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "penstock/base/check.hpp"

namespace penstock::elastic {

namespace {

// All as multiples of the sensitivity. They were found by simulation; the result is flat around
// them.
//
// How far one sample, and a line through two, may be off.
constexpr double kErrorOfSample = 1;
constexpr double kErrorOfLine = 1.25;
// Levels this close below the best are as good as it,
constexpr double kAsGood = 0.2;
// and the one this far above the lowest of them is chosen.
constexpr double kAwayFromEnd = 2;
// Points this far below a line through their neighbours contradict it.
constexpr double kContradiction = 4;

// Nothing at levels that yield this many times less than the best changes the choice.
constexpr double kFarBelow = 50;
// Where a single level above shows that throughput falls, the fall is at most this steep.
constexpr double kSteepestFall = 8;
// Nothing is lost by calling a standstill a thousandth, and a logarithm can be taken.
constexpr double kStandstill = 1e-3;

}  // namespace

CurveShape::CurveShape(const ThroughputCurve& curve, double sensitivity)
    : sensitivity_(sensitivity), unit_(curve.best().throughput) {
  PENSTOCK_CHECK(unit_ > 0, "a curve without throughput has no shape");
  for (const auto& [level, record] : curve.records()) {
    points_.push_back({.x = std::log(level),
                       .y = std::log(std::max(record.mean_throughput / unit_, kStandstill)),
                       .weight = static_cast<double>(record.samples)});
    times_.push_back(record.last_time);
    estimates_.push_back({.level = level,
                          .throughput = 0,
                          .mean = record.mean_throughput,
                          .samples = record.samples});
  }
  fit_ = concave_fit(points_);
  for (std::size_t i = 0; i < fit_.size(); ++i) {
    Estimate& estimate = estimates_[i];
    estimate.throughput = std::clamp(unit_ * std::exp(fit_[i]), estimate.mean * (1 - sensitivity),
                                     estimate.mean * (1 + sensitivity));
  }
}

const CurveShape::Estimate& CurveShape::best() const {
  return *std::ranges::max_element(estimates_, {}, &Estimate::throughput);
}

const CurveShape::Estimate& CurveShape::choice() const {
  const double enough = best().throughput * (1 - kAsGood * sensitivity_);
  std::vector<const Estimate*> as_good;
  for (const Estimate& estimate : estimates_) {
    if (estimate.throughput >= enough) as_good.push_back(&estimate);
  }
  const double low = std::log(as_good.front()->level);
  const double middle = (low + std::log(as_good.back()->level)) / 2;
  const double inside = low + kAwayFromEnd * sensitivity_;
  if (inside < middle) {
    return **std::prev(std::ranges::find_if(as_good, [inside](const Estimate* estimate) {
      return std::log(estimate->level) > inside;
    }));
  }
  return **std::ranges::min_element(as_good, {}, [middle](const Estimate* estimate) {
    return std::abs(std::log(estimate->level) - middle);
  });
}

double CurveShape::most_at(int level) const {
  const auto found = std::ranges::lower_bound(estimates_, level, {}, &Estimate::level);
  const auto above = static_cast<std::size_t>(found - estimates_.begin());
  const bool measured = found != estimates_.end() && found->level == level;
  const double bound = bound_by_lines(std::log(level), above, measured ? above + 1 : above);
  return unit_ *
         std::exp(measured ? std::min(bound, fit_[above] + kErrorOfSample * error(above)) : bound);
}

double CurveShape::bound_by_lines(double x, std::size_t below, std::size_t above) const {
  double bound = std::numeric_limits<double>::infinity();
  for (std::size_t near = 1; near < below; ++near) {
    for (std::size_t far = 0; far < near; ++far) bound = std::min(bound, on_line(x, near, far));
  }
  for (std::size_t near = above; near + 1 < fit_.size(); ++near) {
    for (std::size_t far = near + 1; far < fit_.size(); ++far) {
      bound = std::min(bound, on_line(x, near, far));
    }
  }
  if (below > 0) {
    // No speed-up is more than linear, except where it was measured to be.
    const std::size_t i = below - 1;
    const double rise = i == 0 ? 1 : (fit_[i] - fit_[i - 1]) / (points_[i].x - points_[i - 1].x);
    bound = std::min(bound,
                     fit_[i] + std::max(1.0, rise) * (x - points_[i].x) + kErrorOfLine * error(i));
  }
  if (above + 1 == fit_.size()) {
    bound = std::min(
        bound, fit_[above] + kSteepestFall * (points_[above].x - x) + kErrorOfLine * error(above));
  }
  return bound;
}

double CurveShape::on_line(double x, std::size_t near, std::size_t far) const {
  const double beyond = (x - points_[near].x) / (points_[near].x - points_[far].x);
  return fit_[near] * (1 + beyond) - fit_[far] * beyond +
         kErrorOfLine * std::hypot((1 + beyond) * error(near), beyond * error(far));
}

double CurveShape::error(std::size_t i) const {
  return sensitivity_ / std::sqrt(static_cast<double>(estimates_[i].samples));
}

std::optional<std::size_t> CurveShape::doubtful() const {
  const double matters = -std::log(kFarBelow);
  std::optional<std::size_t> oldest;
  for (std::size_t i = 1; i + 1 < points_.size(); ++i) {
    const FitPoint& low = points_[i - 1];
    const FitPoint& high = points_[i + 1];
    const double chord = low.y + (high.y - low.y) * (points_[i].x - low.x) / (high.x - low.x);
    if (chord < matters || chord - points_[i].y < kContradiction * sensitivity_) continue;
    for (std::size_t k = i - 1; k <= i + 1; ++k) {
      if (estimates_[k].samples == 1 && (!oldest || times_[k] < times_[*oldest])) oldest = k;
    }
  }
  return oldest;
}

}  // namespace penstock::elastic
