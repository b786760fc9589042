#include "penstock/engine/utilization_chooser.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace penstock::engine {

namespace {

elastic::PlanStep step_of(const elastic::UtilizationDecision& decision) {
  return {.lever = elastic::Lever::kThreads,
          .previous = decision.previous,
          .chosen = decision.level,
          .reason = name(decision.reason),
          .text = to_text(decision)};
}

}  // namespace

UtilizationChooser::UtilizationChooser(elastic::ThreadRange range, Clock clock)
    : controller_({.range = range}), clock_(std::move(clock)) {}

elastic::PlanStep UtilizationChooser::update(double /*throughput*/, bool cpu_ok, Nanoseconds now) {
  return step_of(controller_.update(utilization(now), cpu_ok));
}

elastic::PlanStep UtilizationChooser::hold() { return step_of(controller_.hold()); }

elastic::PlanStep UtilizationChooser::set_least_threads(int threads) {
  const int previous = controller_.level();
  controller_.set_least_level(threads);
  return after_limit(previous);
}

elastic::PlanStep UtilizationChooser::set_most_threads(int threads) {
  const int previous = controller_.level();
  controller_.set_most_level(threads);
  return after_limit(previous);
}

elastic::PlanStep UtilizationChooser::try_threads(int threads) {
  const int previous = controller_.level();
  controller_.try_level(threads);
  return after_limit(previous);
}

elastic::Plan UtilizationChooser::plan() const {
  return {.threads = controller_.level(),
          .stops_per_thread = elastic::PlanController::kStopsPerThread};
}

// The time of the threads in use, and of the feeder only while it is in the flow: a feeder that is
// with the taker of the output is no sign of too many threads.
double UtilizationChooser::utilization(Nanoseconds now) const {
  const TimeSpent spent = clock_(now);
  // Meters are read while they run, and a pause seen late may set a sum back a little.
  const auto busy = std::max(spent.busy - begun_.busy, Nanoseconds(0));
  const auto asleep = std::max(spent.asleep - begun_.asleep, Nanoseconds(0));
  if (busy + asleep == Nanoseconds(0)) return 0;
  return static_cast<double>(busy.count()) / static_cast<double>((busy + asleep).count());
}

elastic::PlanStep UtilizationChooser::after_limit(int previous) const {
  return step_of({.previous = previous,
                  .level = controller_.level(),
                  .reason = elastic::UtilizationReason::kLimitsChanged});
}

}  // namespace penstock::engine
