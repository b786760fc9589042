#include "bench/ordered/calibrate.hpp"

#include <algorithm>

#include "bench/ordered/job.hpp"
#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

double flops_per_us() {
  static const double found = [] {
    constexpr int kFlops = 100'000;
    constexpr int kTries = 20;
    Job job({.cost = kFlops});
    double best = 0;  // whatever disturbs can only make it slower
    for (int i = 0; i < kTries; ++i) {
      Item item = Job::tuple(0);
      const auto start = steady_ns();
      job.work(item);
      best = std::max(best, kFlops / (1e-3 * static_cast<double>(steady_ns() - start)));
    }
    return best;
  }();
  return found;
}

}  // namespace penstock::bench::ordered
