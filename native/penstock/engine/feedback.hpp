#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "penstock/engine/flow_run.hpp"
#include "penstock/graph/topology.hpp"

namespace penstock::engine {

// What came over edges that lead back, and waits for the next run (C9). Only operators bound into
// one stop reach it, so one thread at a time does.
class Feedback {
 public:
  explicit Feedback(const graph::Topology& topology)
      : place_(static_cast<std::size_t>(topology.size())), held_(place_.size()) {
    for (int place = 0; place < topology.size(); ++place) {
      place_[static_cast<std::size_t>(topology.order()[static_cast<std::size_t>(place)])] = place;
    }
  }

  [[nodiscard]] bool leads_back(int from, const graph::Target& target) const noexcept {
    return target.node != graph::kSink &&
           place_[static_cast<std::size_t>(target.node)] <= place_[static_cast<std::size_t>(from)];
  }
  void hold(const graph::Target& target, FlowRun::Delivery delivery) {
    if (delivery.mark) return;  // a mark going round would never come to an end
    delivery.port = target.port;
    held_[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
  }

  // Looked at by many threads where nothing is ever held.
  [[nodiscard]] bool is_empty(int node) const noexcept {
    return held_[static_cast<std::size_t>(node)].empty();
  }
  [[nodiscard]] std::vector<FlowRun::Delivery> take(int node) {
    if (is_empty(node)) return {};
    return std::exchange(held_[static_cast<std::size_t>(node)], {});
  }

 private:
  std::vector<int> place_;                            // by operator, in the topological order
  std::vector<std::vector<FlowRun::Delivery>> held_;  // by operator
};

}  // namespace penstock::engine
