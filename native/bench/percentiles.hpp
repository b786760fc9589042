#pragma once

#include <cstdint>
#include <vector>

namespace penstock::bench {

struct Percentiles {
  double p50 = 0;
  double p99 = 0;
};

// In microseconds, of times in nanoseconds, which it puts into another order. Zero when there
// are none.
[[nodiscard]] Percentiles percentiles_us(std::vector<std::int64_t>& nanoseconds);

}  // namespace penstock::bench
