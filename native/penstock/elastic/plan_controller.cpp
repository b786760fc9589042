#include "penstock/elastic/plan_controller.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace penstock::elastic {

namespace {

// What is tried beside the usual number, in this order: coarser, where passing a stop is what
// costs; finer, where one heavy station holds the others up; and queues, where a thread had better
// stay at one station for several runs.
constexpr std::array kTried{2, 32, Plan::kQueues};

std::string stops_in_words(int stops) {
  if (stops == Plan::kQueues) return "queues before all operators";
  return std::to_string(stops) + " stops for each thread";
}

std::string change_in_words(int from, int to) {
  if (from != Plan::kQueues && to != Plan::kQueues) {
    return std::to_string(from) + " -> " + stops_in_words(to);
  }
  return stops_in_words(from) + " -> " + stops_in_words(to);
}

std::string rounded(double throughput) { return std::to_string(std::llround(throughput)); }

PlanStep step_of(const Decision& decision) {
  return {.lever = Lever::kThreads,
          .previous = decision.previous,
          .chosen = decision.level,
          .reason = name(decision.reason),
          .text = to_text(decision)};
}

}  // namespace

PlanController::PlanController(const ThreadControllerOptions& options, bool moves_stops)
    : threads_(options), sensitivity_(options.sensitivity), moves_stops_(moves_stops) {}

PlanStep PlanController::update(double throughput, bool cpu_ok) {
  return stops_are_due() ? turn_stops(throughput) : turn_threads(throughput, cpu_ok);
}

PlanStep PlanController::hold() { return step_of(threads_.hold()); }

PlanStep PlanController::set_least_threads(int threads) {
  const int previous = threads_.level();
  threads_.set_least_level(threads);
  return after_limit(previous);
}

PlanStep PlanController::set_most_threads(int threads) {
  const int previous = threads_.level();
  threads_.set_most_level(threads);
  return after_limit(previous);
}

PlanStep PlanController::try_threads(int threads) {
  const int previous = threads_.level();
  threads_.try_level(threads);
  return after_limit(previous);
}

PlanStep PlanController::after_limit(int previous) {
  trials_.clear();
  chosen_.reset();
  stops_ = kStopsPerThread;
  return step_of(
      {.previous = previous, .level = threads_.level(), .reason = Reason::kLimitsChanged});
}

bool PlanController::settled() const noexcept { return threads_.settled() && !stops_are_due(); }

bool PlanController::stops_are_due() const noexcept {
  const bool known = chosen_ && chosen_for_ == threads_.level();
  return moves_stops_ && threads_.settled() && threads_.level() > 1 && !known;
}

PlanStep PlanController::turn_threads(double throughput, bool cpu_ok) {
  const Decision decision = threads_.update(throughput, cpu_ok);
  // A change that the last choice of stops brought about is no new load.
  const bool expected =
      chosen_ && std::abs(throughput - chosen_->throughput) <=
                     LoadChangeDetector::kConfirmedSensitivity * chosen_->throughput;
  if (decision.reason == Reason::kLoadChanged && !expected) chosen_.reset();
  return step_of(decision);
}

PlanStep PlanController::turn_stops(double throughput) {
  note_trial(throughput);
  for (const int stops : kTried) {
    const bool tried = std::ranges::find(trials_, stops, &Trial::stops) != trials_.end();
    if (!tried) return try_stops(stops, "not_tried", "not tried yet");
  }
  // One lucky period must not decide: what seems better is measured once more, and so is the usual.
  const Trial& best = *std::ranges::max_element(trials_, {}, &Trial::throughput);
  const Trial& usual = trials_.front();
  if (best.throughput > usual.throughput * (1 + sensitivity_)) {
    for (const Trial* trial : {&best, &usual}) {
      if (trial->periods < 2) return try_stops(trial->stops, "measure_again", "measured once more");
    }
  }
  return choose_stops();
}

void PlanController::note_trial(double throughput) {
  const auto known = std::ranges::find(trials_, stops_, &Trial::stops);
  if (known == trials_.end()) {
    trials_.push_back({.stops = stops_, .throughput = throughput});
  } else {
    known->add(throughput);
  }
}

PlanStep PlanController::try_stops(int stops, std::string_view reason, std::string_view why) {
  const int previous = std::exchange(stops_, stops);
  return {.lever = Lever::kStops,
          .previous = previous,
          .chosen = stops,
          .reason = reason,
          .text = change_in_words(previous, stops) + ": " + std::string(why)};
}

PlanStep PlanController::choose_stops() {
  const int previous = stops_;
  const Trial usual = trials_.front();
  const Trial best = *std::ranges::max_element(trials_, {}, &Trial::throughput);
  const bool worth_it = best.throughput > usual.throughput * (1 + sensitivity_);
  const Trial chosen = worth_it ? best : usual;
  stops_ = chosen.stops;
  chosen_ = chosen;
  chosen_for_ = threads_.level();
  trials_.clear();
  return {.lever = Lever::kStops,
          .previous = previous,
          .chosen = stops_,
          .reason = worth_it ? "better" : "no_gain",
          .text = change_in_words(previous, stops_) + ": throughput was " +
                  rounded(chosen.throughput) +
                  (worth_it ? " with it and " + rounded(usual.throughput) + " as usual"
                            : " and nothing else gave more than " + rounded(best.throughput))};
}

}  // namespace penstock::elastic
