#pragma once

#include <cstdint>
#include <limits>

namespace penstock::policy {

// An operator as a scheduling policy sees it at one moment: numbers, nothing that runs. Times are
// seconds of one clock, and what waits is counted in tuples.
struct OperatorView {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

  // Prasaad et al. 2018, §6.
  double selectivity = 1;    // tuples made of one
  double cost = 0;           // time that one takes
  std::int64_t waiting = 0;  // its worklist
  int workers = 0;           // at it now
  int most_workers = 1;      // 1 with state, one for each part by key, any number without state
  double window_time = 0;    // spent at it in the current window of measurement

  // Sahin & Gedik 2018, §3.2.5.
  bool source = false;   // needs nothing that waits: it can always run
  double last_run = 0;   // when it was last taken by a worker
  double oldest = 0;     // when that came which waits longest
  double read_rate = 0;  // tuples taken in a second of running
  double write_rate = 0;
  std::int64_t made = 0;           // tuples of its own that wait behind it: its output queue
  std::int64_t room = kUnlimited;  // so many more may wait there
};

// Whether a worker would find something to do there.
[[nodiscard]] inline bool schedulable(const OperatorView& view) noexcept {
  return view.workers < view.most_workers && view.room > 0 && (view.source || view.waiting > 0);
}

}  // namespace penstock::policy
