#pragma once

#include <chrono>
#include <ctime>

namespace penstock::base {

// Processor time of the calling thread. It stands still while the thread waits. A call of the
// system: it costs several times what a look at the time does.
[[nodiscard]] inline std::chrono::nanoseconds thread_now() noexcept {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace penstock::base
