#pragma once

#include <chrono>
#include <ctime>

namespace penstock::base {

// A clock that stands still for some milliseconds and then jumps, for a quarter of what an exact
// one costs: to ask whether it is worth while to look at the exact one.
[[nodiscard]] inline std::chrono::nanoseconds coarse_now() noexcept {
#ifdef CLOCK_MONOTONIC_COARSE
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#else
  return std::chrono::steady_clock::now().time_since_epoch();
#endif
}

}  // namespace penstock::base
