#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace penstock::elastic {

// Why a controller chose a level. The rules are those of Schneider & Wu 2017, §4.2.2.
enum class Reason {
  kRising,         // rule 1: throughput rose up to here and the level above is not trusted
  kBetterAbove,    // rule 2: a level above is known to yield more
  kNothingAbove,   // rule 3: nothing is known yet, and the search goes up first
  kNothingBelow,   // rule 4: the level below is not trusted
  kNoGain,         // rule 5: fewer threads yield as much or more
  kSettled,        // rule 6: levels on both sides are known and none is better
  kNotYetFalling,  // one level without a gain is not the end of the climb
  kRefineAbove,    // the best level may lie between this one and a known one above
  kRefineBelow,    // the best level may lie between this one and a known one below
  kMeasureAgain,   // the best level has too few samples to settle on
  kMeasureRival,   // another level has too few samples to say that it is not better
  kDoubtful,       // what was measured at a level does not fit what was measured since
  kCheckBelow,     // a level below was measured on the way up, and a new load would show there
  kProcessorBusy,  // a rise was due, but the CPU use of the machine does not allow one
  kMaybeNoise,     // throughput differs, but not for long enough to be a new load
  kLoadChanged,    // throughput differs for good: everything is measured again
  kHeld,           // the last change has not happened yet, so nothing was learnt
  kLimitsChanged,  // the least or most level was set, and this one was outside
  kMoreFree,       // cores became free, and what they bring is measured at once
};

// The word for a reason in metrics and in Python, such as "rising" or "processor_busy".
[[nodiscard]] std::string_view name(Reason reason);

// One step of a controller, with what users need to understand it.
struct Decision {
  std::uint64_t period = 0;
  int previous = 0;
  int level = 0;
  Reason reason = Reason::kSettled;
  // Throughput of the period that was decided upon; empty when it was not measured.
  std::optional<double> before;
  // Throughput of the next period, at the level decided for; empty until it is known.
  std::optional<double> after;
  // The level whose throughput the reason compares with, and that throughput, where there is one.
  int other_level = 0;
  double other_throughput = 0;
};

// A sentence such as "2 -> 4 threads: throughput rose from 100 with 1 to 190 with 2".
[[nodiscard]] std::string to_text(const Decision& decision);

}  // namespace penstock::elastic
