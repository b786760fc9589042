#pragma once

#include <chrono>
#include <cstdint>

namespace penstock::bench {

// Nanoseconds of a clock that never goes back.
[[nodiscard]] inline std::int64_t steady_ns() noexcept {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

}  // namespace penstock::bench
