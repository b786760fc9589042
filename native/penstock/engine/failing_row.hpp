#pragma once

#include <optional>
#include <vector>

#include "penstock/engine/operator_failure.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

struct FailingRow {
  OperatorFailure failure;
  std::vector<tuple::Batch> before;  // what the rows before it produce
};

// Which row of `tuple` made the graph fail. Only for graphs without state: it runs prefixes of
// the tuple again, about log2(rows) times. Empty when no single row fails on its own, as with a
// function that looks at the size of its batch.
[[nodiscard]] std::optional<FailingRow> find_failing_row(const graph::Topology& topology,
                                                         const tuple::Tuple& tuple);

}  // namespace penstock::engine
