#include "penstock/elastic/thread_controller.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

double checked_sensitivity(double sensitivity) {
  if (sensitivity > 0 && sensitivity < 1) return sensitivity;
  throw std::invalid_argument("sensitivity is " + std::to_string(sensitivity) +
                              "; it must be above 0 and below 1, such as 0.05 for five percent");
}

}  // namespace

ThreadController::ThreadController(ThreadControllerOptions options)
    : series_(std::move(options.levels), options.range),
      search_(checked_sensitivity(options.sensitivity),
              options.load_change == LoadChangeRule::kConfirmed),
      load_change_(options.load_change, options.sensitivity),
      rule_(options.load_change),
      level_(series_.least()) {}

Decision ThreadController::update(double throughput, bool cpu_ok) {
  check_throughput(throughput);
  for (auto past = decisions_.rbegin(); past != decisions_.rend() && !past->after; ++past) {
    past->after = throughput;
  }
  const auto reaction = react_to_load(throughput);
  if (reaction) return decide(*reaction, throughput);
  curve_.record(level_, throughput, time_);
  return decide(search(cpu_ok), throughput);
}

Decision ThreadController::hold() {
  return decide({.level = level_, .reason = Reason::kHeld, .other = {}}, std::nullopt);
}

void ThreadController::set_least_level(int level) {
  set_range({.least = level, .most = std::max(level, range().most)});
}

void ThreadController::set_most_level(int level) {
  set_range({.least = std::min(level, range().least), .most = level});
}

void ThreadController::try_level(int level) {
  search_anew();
  decide({.level = series_.nearest(level), .reason = Reason::kMoreFree, .other = {}}, std::nullopt);
}

std::optional<SearchStep> ThreadController::react_to_load(double throughput) {
  const ThreadRecord* known = curve_.trusted(level_);
  const LoadChange change = load_change_.update(known, throughput);
  if (change == LoadChange::kNone) return std::nullopt;
  const ThroughputCurve::Point usual{.level = level_, .throughput = known->mean_throughput};
  // A sample that may be noise is not recorded: it would blur what the next ones are compared to.
  if (change == LoadChange::kPossible) {
    ++searched_;
    return SearchStep{.level = level_, .reason = Reason::kMaybeNoise, .other = usual};
  }
  curve_.untrust_all();
  search_anew();
  if (rule_ == LoadChangeRule::kLiteral) return std::nullopt;
  curve_.record(level_, throughput, time_);
  return SearchStep{.level = level_, .reason = Reason::kLoadChanged, .other = usual};
}

SearchStep ThreadController::search(bool cpu_ok) {
  const ThroughputCurve::Point here{.level = level_,
                                    .throughput = curve_.trusted(level_)->mean_throughput};
  if (settled_) return {.level = level_, .reason = Reason::kSettled, .other = here};
  const int most_periods = std::max(kSearchPeriods, series_.climb() + kRefiningPeriods);
  const bool last = searched_ + 1 >= most_periods;
  const SearchStep step = last
                              ? search_.finish(curve_, level_)
                              : search_.next(series_, curve_, level_, most_periods - searched_ - 1);
  if (step.level > level_ && !cpu_ok) {
    const ThroughputCurve::Point due{.level = step.level, .throughput = 0};
    return {.level = level_, .reason = Reason::kProcessorBusy, .other = due};
  }
  ++searched_;
  settled_ = last || step.reason == Reason::kSettled;
  return step;
}

void ThreadController::set_range(ThreadRange range) {
  series_ = series_.within(range);
  search_anew();
  if (series_.contains(level_)) {
    curve_.untrust_outside(series_.least(), series_.most());
    return;
  }
  curve_.untrust_all();
  decide({.level = series_.nearest(level_), .reason = Reason::kLimitsChanged, .other = {}},
         std::nullopt);
}

void ThreadController::search_anew() {
  settled_ = false;
  searched_ = 0;
  load_change_.reset();
}

const Decision& ThreadController::decide(const SearchStep& step, std::optional<double> throughput) {
  if (decisions_.size() == kDecisionsKept) decisions_.pop_front();
  decisions_.push_back({.period = time_++,
                        .previous = level_,
                        .level = step.level,
                        .reason = step.reason,
                        .before = throughput,
                        .after = std::nullopt,
                        .other_level = step.other.level,
                        .other_throughput = step.other.throughput});
  level_ = step.level;
  return decisions_.back();
}

}  // namespace penstock::elastic
