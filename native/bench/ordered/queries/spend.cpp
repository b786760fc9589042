#include "bench/ordered/queries/cost.hpp"
#include "bench/workload/kernel.hpp"

namespace penstock::bench::queries {

double spend(int flops) noexcept {
  Item item;
  Kernel{.cost = flops}.work(item);
  return item.number;
}

}  // namespace penstock::bench::queries
