#pragma once

#include <memory>

#include "penstock/graph/operator.hpp"
#include "penstock/loop/loop_operator.hpp"

namespace penstock::bench::loops {

// The Barrier once more, as users write it: against penstock_loop.hpp alone, from where it asks the
// engine by C functions and gets Arrow's structs.
[[nodiscard]] std::unique_ptr<graph::Operator> library_barrier(loop::LoopOperator::Options options);

}  // namespace penstock::bench::loops
