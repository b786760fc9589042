#pragma once

namespace penstock::bench {

// How long a cache line takes from one of the first two cores that this process may use to the
// other, in nanoseconds: the median of some volleys. 0 where there is one core only.
//
// Virtual cores move about on the host's. Between two that share a cache a line takes a few dozen
// nanoseconds, between sockets some hundreds, and whatever hands work from thread to thread
// follows.
[[nodiscard]] double core_distance_ns();

}  // namespace penstock::bench
