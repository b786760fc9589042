#pragma once

#include <cstdint>
#include <vector>

#include "bench/policies/sim_tuple.hpp"

namespace penstock::bench::policies {

inline constexpr int kFree = -1;

// A worker of the simulation and what it has in hand.
struct SimWorker {
  struct Taken {
    std::uint64_t ticket;
    SimTuple tuple;
  };

  int at = kFree;          // the operator, unless free
  std::int64_t until = 0;  // then it asks where to go
  std::vector<Taken> taken;
};

}  // namespace penstock::bench::policies
