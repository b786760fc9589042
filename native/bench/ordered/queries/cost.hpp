#pragma once

#include <vector>

#include "bench/ordered/queries/step.hpp"

namespace penstock::bench::queries {

// The same steps, each of which does so many floating point operations more for every row.
[[nodiscard]] std::vector<Step> with_cost(std::vector<Step> steps, int flops);

// What the floating point work comes to. Compiled apart from whoever calls it: the compiler would
// see that nobody needs it.
[[nodiscard]] double spend(int flops) noexcept;

}  // namespace penstock::bench::queries
