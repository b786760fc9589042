// Driver loops on request: a barrier against one written by events, and many loops in one flow.
#include <iostream>

#include "bench/loops/serve.hpp"

int main() {
  std::ios::sync_with_stdio(false);
  penstock::bench::loops::serve(std::cin, std::cout);
  return 0;
}
