// Scheduling policies, simulated and real, on request.
#include <iostream>

#include "bench/policies/serve.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  penstock::bench::policies::serve(std::cin, std::cout);
  return 0;
}
