// Other runtimes on the same workload, on request.
#include <array>
#include <iostream>

#include "bench/peers/peers.hpp"
#include "bench/serve.hpp"

int main() {
  using penstock::bench::ContenderEntry;
  static constexpr auto kEntries = std::to_array<ContenderEntry>({
      {.name = "tbb-pipeline", .make = penstock::bench::make_tbb_pipeline},
      {.name = "tbb-graph", .make = penstock::bench::make_tbb_graph},
  });
  std::ios::sync_with_stdio(false);
  penstock::bench::serve(std::cin, std::cout, kEntries);
  return 0;
}
