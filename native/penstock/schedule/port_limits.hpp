#pragma once

#include <chrono>
#include <cstddef>

namespace penstock::schedule {

struct PortLimits {
  std::size_t window = 1;    // runs under way
  std::size_t capacity = 1;  // of each port but the first, which has room for the window
  std::size_t budget = 16;   // runs served in one turn
  // Within this time a thread does not share what it is at: waking another takes longer.
  std::chrono::nanoseconds head_start = std::chrono::microseconds(10);
};

}  // namespace penstock::schedule
