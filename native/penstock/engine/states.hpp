#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "penstock/graph/topology.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::engine {

// What one operator of a flow remembers of its keys, on all its channels together.
struct OperatorState {
  std::string name;
  tuple::Schema schema;
  std::vector<tuple::Batch> rows;  // no key twice
};

// Of every operator that remembers something by key. While nothing is under way.
[[nodiscard]] std::vector<OperatorState> states_of(const graph::Topology& topology);

// How many rows an operator, or those within it, left out because they came too late. From any
// thread.
[[nodiscard]] std::int64_t late_rows(const graph::Node& node);

// Gives operators what they, or others like them, remembered earlier, on whatever number of
// channels. Before the first row. Throws std::invalid_argument for an operator that does not exist
// or remembers nothing.
void restore(const graph::Topology& topology, const std::string& name,
             const std::vector<tuple::Batch>& rows);

}  // namespace penstock::engine
