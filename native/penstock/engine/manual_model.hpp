#pragma once

#include <optional>
#include <vector>

#include "penstock/engine/operator_failure.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// The `manual` threading model (S1): the calling thread runs everything, there are no queues.
//
// A tuple goes through the whole graph before the next one starts, always taking the oldest
// output of the operator that ran last: the order a chain of function calls would have. A stack
// of its own stands in for the calls, so the depth of the graph costs no thread stack.
class ManualModel {
 public:
  explicit ManualModel(const graph::Topology& topology) : topology_(&topology) {}

  // Appends what reaches the sink to `outbox`. Stops at the first failure and returns it.
  [[nodiscard]] std::optional<OperatorFailure> run(const tuple::Tuple& tuple,
                                                   std::vector<tuple::Batch>& outbox);

 private:
  struct Step {
    graph::Target target;
    tuple::Tuple tuple;
  };
  class Emitted;

  void forward(const std::vector<graph::Target>& targets, const tuple::Tuple& tuple);

  const graph::Topology* topology_;
  std::vector<Step> steps_;  // the next one to run is last
};

}  // namespace penstock::engine
