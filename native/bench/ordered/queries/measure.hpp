#pragma once

#include <cstddef>
#include <cstdint>

#include "bench/ordered/queries/contenders.hpp"
#include "bench/ordered/queries/difference.hpp"
#include "bench/percentiles.hpp"

namespace penstock::bench::queries {

// A query with so many rows, and what must come out. Made once for all contenders.
struct Prepared {
  Prepared(const Query& asked, std::size_t rows);

  const Query* query;
  Input input;
  std::vector<Output> wanted;
};

// What a contender made of a query.
struct Measured {
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads together
  std::uint64_t outputs = 0;
  Difference difference;
  Percentiles latency_us;
};

[[nodiscard]] Measured measure(const Entry& entry, const Prepared& prepared, const Setup& setup);

}  // namespace penstock::bench::queries
