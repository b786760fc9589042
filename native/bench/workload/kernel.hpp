#pragma once

#include <bit>
#include <cstdint>

#include "bench/workload/item.hpp"

namespace penstock::bench {

// What an operator of the benchmarks remembers: a running sum of all it has seen. What it passes
// on depends on that sum, so an operator that sees its tuples in another order, one too few or
// one too many changes everything behind it.
struct Kernel {
  std::uint64_t sum = 0;
  double factor = 1.0 + 1e-10;  // so near to one that no number of operators overflows
  int cost = 1;

  // `cost` dependent floating point operations, and one cycle for the state.
  void work(Item& item) noexcept {
    sum += item.value;
    item.value = std::rotl(item.value, 1) ^ sum;
    double number = item.number;
    for (int done = 0; done < cost; ++done) number *= factor;
    item.number = number;
  }
};

}  // namespace penstock::bench
