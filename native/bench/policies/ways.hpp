#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "bench/policies/topology.hpp"

namespace penstock::bench::policies {

// Draws for one tuple after another which operators it meets: at each of several outputs one by
// lot, and with a selectivity below 1 it may end anywhere. The same seed draws the same ways.
class Ways {
 public:
  Ways(const Topology& topology, std::uint64_t seed) : topology_(&topology), lots_(seed) {}

  // By station, which is the place of the operator without the source.
  void draw(std::vector<bool>& meets);

 private:
  const Topology* topology_;
  std::mt19937_64 lots_;
};

}  // namespace penstock::bench::policies
