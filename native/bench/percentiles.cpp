#include "bench/percentiles.hpp"

#include <algorithm>
#include <cstddef>

namespace penstock::bench {

Percentiles percentiles_us(std::vector<std::int64_t>& nanoseconds) {
  const auto at = [&nanoseconds](double share) {
    if (nanoseconds.empty()) return 0.0;
    const auto index =
        static_cast<std::ptrdiff_t>(share * static_cast<double>(nanoseconds.size() - 1));
    std::ranges::nth_element(nanoseconds, nanoseconds.begin() + index);
    return 1e-3 * static_cast<double>(nanoseconds[static_cast<std::size_t>(index)]);
  };
  return {.p50 = at(0.50), .p99 = at(0.99)};
}

}  // namespace penstock::bench
