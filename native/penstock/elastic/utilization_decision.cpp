#include "penstock/elastic/utilization_decision.hpp"

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

std::string percent(double part) { return number(100 * part) + " %"; }

std::string threads(int count) {
  return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

std::string measured(const UtilizationDecision& decision) {
  return threads(decision.previous) + (decision.previous == 1 ? " was" : " were") + " busy for " +
         percent(decision.before.value_or(0)) + " of the time";
}

std::string why(const UtilizationDecision& decision) {
  const std::string other = percent(decision.other);
  switch (decision.reason) {
    case UtilizationReason::kBusy:
      return measured(decision) + ", above " + other;
    case UtilizationReason::kIdle:
      return measured(decision) + ", and one fewer would be for " + other;
    case UtilizationReason::kBusyBelow:
      return measured(decision) + ", but one fewer would be for " + other;
    case UtilizationReason::kNoMoreDone:
      return measured(decision) + ", above " + other + ", but one more found nothing more to do";
    case UtilizationReason::kNoMore:
      return measured(decision) + ", above " + other + ", but there are no more";
    case UtilizationReason::kNoFewer:
      return measured(decision) + ", below " + other + ", but there are no fewer";
    case UtilizationReason::kProcessorBusy:
      return measured(decision) + ", but the processors are too busy for more threads";
    case UtilizationReason::kHeld:
      return "the last change has not taken effect yet";
    case UtilizationReason::kLimitsChanged:
      return "the limits changed, and " + threads(decision.previous) +
             (decision.previous == 1 ? " is" : " are") + " outside of them";
    default:
      return measured(decision) + ", neither too much nor too little";
  }
}

}  // namespace

std::string_view name(UtilizationReason reason) {
  switch (reason) {
    case UtilizationReason::kBusy:
      return "busy";
    case UtilizationReason::kIdle:
      return "idle";
    case UtilizationReason::kWellUsed:
      return "well_used";
    case UtilizationReason::kBusyBelow:
      return "busy_below";
    case UtilizationReason::kNoMoreDone:
      return "no_more_done";
    case UtilizationReason::kNoMore:
      return "most_threads";
    case UtilizationReason::kNoFewer:
      return "least_threads";
    case UtilizationReason::kProcessorBusy:
      return "processor_busy";
    case UtilizationReason::kHeld:
      return "held";
    case UtilizationReason::kLimitsChanged:
      return "limits_changed";
  }
  return "unknown";
}

std::string to_text(const UtilizationDecision& decision) {
  const std::string change =
      decision.level == decision.previous
          ? "stay at " + threads(decision.level)
          : std::to_string(decision.previous) + " -> " + threads(decision.level);
  return change + ": " + why(decision);
}

}  // namespace penstock::elastic
