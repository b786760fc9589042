#pragma once

#include <chrono>
#include <functional>

#include "penstock/base/coarse_clock.hpp"

namespace penstock::loop {

// For how long a loop may have the thread before it gives it back by itself (C12).
struct Quantum {
  std::chrono::nanoseconds length = std::chrono::milliseconds(50);
  std::function<std::chrono::nanoseconds()> clock = base::coarse_now;
  std::chrono::nanoseconds began{};

  void begin() { began = clock(); }
  [[nodiscard]] bool used_up() const { return clock() - began >= length; }
};

}  // namespace penstock::loop
