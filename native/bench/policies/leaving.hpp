#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "bench/policies/sim_tuple.hpp"
#include "bench/policies/simulator.hpp"

namespace penstock::bench::policies {

// Where tuples of the simulation end: counts them, times those in the middle and checks their
// order.
class Leaving {
 public:
  Leaving(const Topology& topology, std::int64_t run_ns);

  void take(const SimTuple& tuple, int place, std::int64_t now);

  // Throughput, latency, how many left and how many out of order.
  [[nodiscard]] Simulated result();

 private:
  const bool one_order_;
  double expected_ = 0;  // of each tuple that comes in so many should leave
  const std::int64_t from_;
  const std::int64_t to_;
  std::uint64_t left_ = 0;
  std::uint64_t out_of_order_ = 0;
  std::map<std::pair<int, int>, std::uint64_t> last_;  // by where they left and which way they went
  std::vector<std::int64_t> latencies_;
};

}  // namespace penstock::bench::policies
