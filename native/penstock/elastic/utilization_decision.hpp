#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock::elastic {

// Why a number of threads was chosen by how busy they are. The rule is that of Sahin & Gedik 2018,
// §4.1, and what keeps it from going back and forth (A39).
enum class UtilizationReason {
  kBusy,           // above the high threshold: one more
  kIdle,           // below the low threshold: one fewer
  kWellUsed,       // between the thresholds
  kBusyBelow,      // below the low threshold, but with one fewer it would be above the high one
  kNoMoreDone,     // above the high threshold, but one more came back with nothing more done
  kNoMore,         // above the high threshold, and there are no more
  kNoFewer,        // below the low threshold, and there are no fewer
  kProcessorBusy,  // one more was due, but the CPU use of the machine does not allow it
  kHeld,           // the last change has not happened yet, so nothing was learnt
  kLimitsChanged,  // the least or most threads were set, and these were outside
};

// The word for a reason in metrics and in Python, such as "busy_below".
[[nodiscard]] std::string_view name(UtilizationReason reason);

// One step of a utilization controller, with what users need to understand it.
struct UtilizationDecision {
  std::uint64_t period = 0;
  int previous = 0;
  int level = 0;
  UtilizationReason reason = UtilizationReason::kHeld;
  // Which part of its time a thread was busy, on average, in the period that was decided upon;
  // empty when it was not measured.
  std::optional<double> before;
  // The same of the next period, at the level decided for; empty until it is known.
  std::optional<double> after;
  // What the reason compares with: a threshold, or what one thread fewer would come to.
  double other = 0;
};

// A sentence such as "2 -> 3 threads: 2 threads were busy for 98 % of the time, above 95 %".
[[nodiscard]] std::string to_text(const UtilizationDecision& decision);

}  // namespace penstock::elastic
