#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "penstock/policy/policy.hpp"

#include "bench/percentiles.hpp"
#include "bench/policies/topology.hpp"

namespace penstock::bench::policies {

// The machine on which a topology is simulated.
struct Machine {
  int workers = 1;
  std::int64_t slice_ns = 1'000'000;  // that a worker stays with an operator which has work
  // It takes what it gets through in a slice at once, and passes that on when it is done with all.
  bool whole_slices = false;
  std::int64_t switch_ns = 0;  // that it takes to begin with another
  std::int64_t room = std::numeric_limits<std::int64_t>::max();  // in each queue
  std::int64_t window_ns = 10'000'000;                           // over which policies look back
  std::int64_t run_ns = 1'000'000'000;
  std::uint64_t seed = 1;
};

// How tuples come to the first operator where it is no source: so many a second, or as many as are
// taken, so that the same number waits for ever.
struct Arrivals {
  double rate = 0;
  std::int64_t backlog = 0;
};

// Only what leaves within the middle three fifths of the time is measured (P15), and every tuple is
// a marker. What goes in and comes out is counted to the end.
struct Simulated {
  double throughput = 0;  // tuples a second: what leaves, over how many should leave of each
  double mean_latency_us = 0;
  Percentiles latency_us;
  std::uint64_t entered = 0;
  std::uint64_t left = 0;
  std::uint64_t dropped = 0;  // where selectivity made nothing of a tuple
  std::uint64_t added = 0;    // and where it made several, without the first
  std::uint64_t inside = 0;   // when time was up
  std::uint64_t out_of_order = 0;
  std::int64_t waiting = 0;  // before the first operator when time was up
  double busy_share = 0;     // of the workers' time, switching apart
};

// Discrete events in virtual time: whenever a worker is free, the policy tells it where to go.
[[nodiscard]] Simulated simulate(const Topology& topology, const Machine& machine,
                                 const Arrivals& arrivals, policy::Policy& policy);

}  // namespace penstock::bench::policies
