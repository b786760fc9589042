#include "penstock/elastic/utilization_controller.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace penstock::elastic {

namespace {

void check_thresholds(double low, double high) {
  if (low >= 0 && low < high && high < 1) return;
  throw std::invalid_argument("low is " + std::to_string(low) + " and high is " +
                              std::to_string(high) +
                              "; it must be 0 <= low < high < 1, such as 0.9 and 0.95");
}

void check_utilization(double utilization) {
  if (utilization >= 0 && utilization <= 1) return;
  throw std::invalid_argument("utilization is " + std::to_string(utilization) +
                              "; it must be 0 to 1, such as 0.9 for threads that are busy for "
                              "nine tenths of the time");
}

}  // namespace

UtilizationController::UtilizationController(const UtilizationControllerOptions& options)
    : range_(LevelSeries({}, options.range).range()),
      low_(options.low),
      high_(options.high),
      level_(range_.least) {
  check_thresholds(low_, high_);
}

UtilizationDecision UtilizationController::update(double utilization, bool cpu_ok) {
  check_utilization(utilization);
  for (auto past = decisions_.rbegin(); past != decisions_.rend() && !past->after; ++past) {
    past->after = utilization;
  }
  forget_what_is_past(utilization);
  const Step step = next_step(utilization, cpu_ok);
  remember(utilization, step.level);
  settled_ = step.level == level_;
  return decide(step, utilization);
}

UtilizationDecision UtilizationController::hold() {
  return decide({.level = level_, .reason = UtilizationReason::kHeld}, std::nullopt);
}

void UtilizationController::set_least_level(int level) {
  set_range({.least = level, .most = std::max(level, range_.most)});
}

void UtilizationController::set_most_level(int level) {
  set_range({.least = std::min(level, range_.least), .most = level});
}

void UtilizationController::try_level(int level) {
  settled_ = false;
  decide({.level = std::clamp(level, range_.least, range_.most),
          .reason = UtilizationReason::kLimitsChanged},
         std::nullopt);
}

UtilizationController::Step UtilizationController::next_step(double utilization,
                                                             bool cpu_ok) const {
  if (utilization > high_) return rise(cpu_ok);
  if (utilization < low_) return fall(utilization);
  return {.level = level_, .reason = UtilizationReason::kWellUsed, .other = high_};
}

UtilizationController::Step UtilizationController::rise(bool cpu_ok) const {
  const auto stay = [&](UtilizationReason reason) {
    return Step{.level = level_, .reason = reason, .other = high_};
  };
  if (level_ == range_.most) return stay(UtilizationReason::kNoMore);
  const auto known = rises_.find(level_);
  if (known != rises_.end() && known->second.in_vain) return stay(UtilizationReason::kNoMoreDone);
  if (!cpu_ok) return stay(UtilizationReason::kProcessorBusy);
  return {.level = level_ + 1, .reason = UtilizationReason::kBusy, .other = high_};
}

UtilizationController::Step UtilizationController::fall(double utilization) const {
  if (level_ == range_.least) {
    return {.level = level_, .reason = UtilizationReason::kNoFewer, .other = low_};
  }
  const double without = utilization * level_ / (level_ - 1);
  if (without > high_) {
    return {.level = level_, .reason = UtilizationReason::kBusyBelow, .other = without};
  }
  return {.level = level_ - 1, .reason = UtilizationReason::kIdle, .other = without};
}

void UtilizationController::forget_what_is_past(double utilization) {
  // Half of what is left above the threshold: so threads that were just above it then, and have no
  // time left now, are seen to have more to do.
  const double more = (1 - high_) / 2;
  const double less = high_ - low_;
  if (const auto here = rises_.find(level_); here != rises_.end()) {
    const double then = here->second.utilization;
    if (utilization > then + more || utilization < then - less) rises_.erase(here);
  }
  if (const auto below = rises_.find(level_ - 1); below != rises_.end()) {
    const double done_then = below->second.utilization * (level_ - 1);
    if (utilization * level_ > done_then + more) rises_.erase(below);  // the last one has helped
  }
}

void UtilizationController::remember(double utilization, int next) {
  if (next > level_) rises_[level_] = {.utilization = utilization};
  if (next >= level_) return;
  if (const auto below = rises_.find(next); below != rises_.end()) below->second.in_vain = true;
}

void UtilizationController::set_range(ThreadRange range) {
  range_ = LevelSeries({}, range).range();
  settled_ = false;
  rises_.clear();
  const int inside = std::clamp(level_, range_.least, range_.most);
  if (inside == level_) return;
  decide({.level = inside, .reason = UtilizationReason::kLimitsChanged}, std::nullopt);
}

const UtilizationDecision& UtilizationController::decide(const Step& step,
                                                         std::optional<double> utilization) {
  if (decisions_.size() == kDecisionsKept) decisions_.pop_front();
  decisions_.push_back({.period = time_++,
                        .previous = level_,
                        .level = step.level,
                        .reason = step.reason,
                        .before = utilization,
                        .after = std::nullopt,
                        .other = step.other});
  level_ = step.level;
  return decisions_.back();
}

}  // namespace penstock::elastic
