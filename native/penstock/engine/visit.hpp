#pragma once

#include <cstdint>

namespace penstock::engine {

// The current thread's number among the workers of the flow it runs; 0 is the feeder. It is read
// at every visit, so it must not take the call that other models make of it in a shared library.
// NOLINTNEXTLINE(*-non-const-global-variables)
[[gnu::tls_model("initial-exec")]] inline thread_local constinit int worker_number = 0;

// One operator at work on what a run has brought it.
struct Visit {
  int node = 0;
  int worker = 0;
  std::int64_t tuples = 0;
  std::int64_t rows_in = 0;
  std::int64_t rows_out = 0;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};

}  // namespace penstock::engine
