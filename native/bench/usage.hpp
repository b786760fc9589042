#pragma once

#include <cstdint>

namespace penstock::bench {

// What this process has used so far, all threads together.
struct Usage {
  double cpu_seconds = 0;
  std::uint64_t context_switches = 0;
};

[[nodiscard]] Usage usage();

}  // namespace penstock::bench
