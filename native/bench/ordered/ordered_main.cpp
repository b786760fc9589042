// One ordered stage, or a query of several, run by workers in one way or another, on request.
#include <iostream>

#include "bench/ordered/serve.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  penstock::bench::ordered::serve(std::cin, std::cout);
  return 0;
}
