#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/percentiles.hpp"
#include "bench/policies/topology.hpp"

namespace penstock::bench::policies {

struct RealSetup {
  std::string policy;
  int threads = 1;
  std::uint64_t tuples = 1;
  std::size_t room = 16;    // in each queue
  std::size_t window = 64;  // tuples under way
  std::uint64_t seed = 1;
};

struct RealRun {
  double seconds = 0;
  double mean_latency_us = 0;
  Percentiles latency_us;
  std::uint64_t left = 0;
  std::uint64_t out_of_order = 0;
  bool same = false;  // as one thread makes it
};

// A topology on the `dynamic` threading model, tuple by tuple, as fast as it goes.
[[nodiscard]] RealRun run_for_real(const Topology& topology, const RealSetup& setup);

}  // namespace penstock::bench::policies
