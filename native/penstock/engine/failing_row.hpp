#pragma once

#include <optional>
#include <vector>

#include "penstock/engine/manual_model.hpp"

namespace penstock::engine {

struct FailingRow {
  OperatorFailure failure;
  std::vector<tuple::Batch> before;  // what the rows before it produce
};

// Which row of `tuple` made the graph fail. Only for graphs without state: it runs prefixes of
// the tuple again, about log2(rows) times. Empty when no single row fails on its own, as with a
// function that looks at the size of its batch.
[[nodiscard]] std::optional<FailingRow> find_failing_row(ManualModel& model,
                                                         const tuple::Tuple& tuple);

}  // namespace penstock::engine
