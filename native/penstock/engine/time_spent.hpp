#pragma once

#include <chrono>
#include <span>

#include "penstock/schedule/worker_meter.hpp"

namespace penstock::engine {

// What became of the time that threads had for a flow, all of them together and since it began.
// Time away is not in it: that of suspended threads, and that of the feeder with whoever takes the
// output.
struct TimeSpent {
  std::chrono::nanoseconds busy{0};
  std::chrono::nanoseconds asleep{0};
};

[[nodiscard]] inline TimeSpent time_spent(std::span<const schedule::WorkerMeter<>> meters,
                                          std::chrono::nanoseconds now) noexcept {
  TimeSpent spent;
  for (const auto& meter : meters) {
    const auto read = meter.read(now);
    spent.busy += read.busy;
    spent.asleep += read.asleep;
  }
  return spent;
}

}  // namespace penstock::engine
