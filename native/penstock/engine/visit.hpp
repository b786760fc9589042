#pragma once

#include <cstdint>

namespace penstock::engine {

// The current thread's number among the workers of the flow it runs; 0 is the feeder.
inline thread_local int worker_number = 0;  // NOLINT(*-non-const-global-variables)

// One operator at work on what a run has brought it.
struct Visit {
  static constexpr std::int64_t kUntimed = -1;

  int node = 0;
  int worker = 0;
  std::int64_t tuples = 0;
  std::int64_t rows_in = 0;
  std::int64_t rows_out = 0;
  std::int64_t start_ns = kUntimed;
  std::int64_t end_ns = kUntimed;
};

}  // namespace penstock::engine
