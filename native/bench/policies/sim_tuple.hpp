#pragma once

#include <cstdint>

namespace penstock::bench::policies {

// A tuple of the simulation; times are nanoseconds.
struct SimTuple {
  std::uint64_t serial = 0;  // from 0, in the order in which they came in
  std::int64_t entered = 0;
  std::int64_t queued = 0;  // into the queue in which it waits
  int way = 0;              // the operator that the source sent it to
};

}  // namespace penstock::bench::policies
