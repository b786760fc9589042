#include "bench/ordered/queries/cost.hpp"

#include <utility>

namespace penstock::bench::queries {

std::vector<Step> with_cost(std::vector<Step> steps, int flops) {
  if (flops == 0) return steps;
  for (Step& step : steps) {
    step.work = [work = std::move(step.work), flops](std::size_t partition, Row& row, Unit& out) {
      if (!row.mark) static_cast<void>(spend(flops));
      work(partition, row, out);
    };
  }
  return steps;
}

}  // namespace penstock::bench::queries
