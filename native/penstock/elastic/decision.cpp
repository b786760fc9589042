#include "penstock/elastic/decision.hpp"

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

std::string with(double throughput, int threads) {
  return number(throughput) + " with " + std::to_string(threads);
}

std::string measured(const Decision& decision) {
  return with(decision.before.value_or(0), decision.previous);
}

std::string other(const Decision& decision) {
  return with(decision.other_throughput, decision.other_level);
}

// Reasons of the search for a level.
std::string why_searched(const Decision& decision) {
  switch (decision.reason) {
    case Reason::kRising:
      return "throughput rose from " + other(decision) + " to " + measured(decision) +
             ", and more threads are untried";
    case Reason::kBetterAbove:
      return "throughput is " + measured(decision) +
             ", and by all samples more threads do better: " + other(decision);
    case Reason::kNothingAbove:
      return "throughput is " + measured(decision) + ", and more threads are untried";
    case Reason::kNothingBelow:
      return "no level tried yields clearly more than " + other(decision) +
             ", and fewer threads are untried";
    case Reason::kNoGain:
      return "throughput is " + measured(decision) +
             ", and by all samples fewer threads do as well: " + other(decision);
    case Reason::kNotYetFalling:
      return "throughput is " + measured(decision) + " after " + other(decision) +
             ", and one level without a gain is not yet the end of the rise";
    case Reason::kRefineAbove:
      return "the best level tried is " + other(decision) + "; a better one may lie above it";
    case Reason::kRefineBelow:
      return "the best level tried is " + other(decision) + "; one as good may lie below it";
    case Reason::kMeasureAgain:
      return "the best level tried is " + other(decision) + ", and so few samples may be luck";
    case Reason::kMeasureRival:
      return "the best level tried is " + other(decision) + ", but " +
             std::to_string(decision.level) + " threads may only have had bad luck";
    case Reason::kDoubtful:
      return "what was measured before, " + other(decision) +
             ", does not fit what was measured since, so it is checked";
    case Reason::kCheckBelow:
      return "what was measured on the way up, " + other(decision) +
             ", is checked in case the load has changed since";
    default:
      return "throughput is " + measured(decision) + ", and no level above or below is better";
  }
}

std::string why(const Decision& decision) {
  switch (decision.reason) {
    case Reason::kProcessorBusy:
      return "throughput is " + measured(decision) + " and " +
             std::to_string(decision.other_level) +
             " threads were due, but the processors are too busy for more threads";
    case Reason::kMaybeNoise:
      return "throughput is " + measured(decision) + " after " + other(decision) +
             "; noise, unless it lasts";
    case Reason::kLoadChanged:
      return "throughput is " + measured(decision) + " after " + other(decision) +
             ": the load has changed, so every level is measured again";
    case Reason::kHeld:
      return "the last change has not taken effect yet";
    case Reason::kLimitsChanged:
      return "the limits changed, and " + std::to_string(decision.previous) +
             " threads are outside of them";
    case Reason::kMoreFree:
      return "cores became free, and what they bring is measured at once";
    default:
      return why_searched(decision);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a word for each reason
std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::kRising:
      return "rising";
    case Reason::kBetterAbove:
      return "better_above";
    case Reason::kNothingAbove:
      return "nothing_above";
    case Reason::kNothingBelow:
      return "nothing_below";
    case Reason::kNoGain:
      return "no_gain";
    case Reason::kSettled:
      return "settled";
    case Reason::kNotYetFalling:
      return "not_yet_falling";
    case Reason::kRefineAbove:
      return "refine_above";
    case Reason::kRefineBelow:
      return "refine_below";
    case Reason::kMeasureAgain:
      return "measure_again";
    case Reason::kMeasureRival:
      return "measure_rival";
    case Reason::kDoubtful:
      return "doubtful";
    case Reason::kCheckBelow:
      return "check_below";
    case Reason::kProcessorBusy:
      return "processor_busy";
    case Reason::kMaybeNoise:
      return "maybe_noise";
    case Reason::kLoadChanged:
      return "load_changed";
    case Reason::kHeld:
      return "held";
    case Reason::kLimitsChanged:
      return "limits_changed";
    case Reason::kMoreFree:
      return "more_free";
  }
  return "unknown";
}

std::string to_text(const Decision& decision) {
  const std::string threads = decision.level == 1 ? " thread: " : " threads: ";
  const std::string change =
      decision.level == decision.previous
          ? "stay at " + std::to_string(decision.level)
          : std::to_string(decision.previous) + " -> " + std::to_string(decision.level);
  return change + threads + why(decision);
}

}  // namespace penstock::elastic
