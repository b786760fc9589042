#pragma once

#include <vector>

#include "penstock/engine/operator_failure.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// Finds which row of `tuple` made the graph fail, and what the rows before it produce: both replace
// what is known. Only for graphs without state: it runs prefixes of the tuple again, about
// log2(rows) times. Nothing changes when no single row fails on its own, as with a function that
// looks at the size of its batch.
void locate_failure(const graph::Topology& topology, const tuple::Tuple& tuple,
                    OperatorFailure& failure, std::vector<tuple::Batch>& made);

}  // namespace penstock::engine
