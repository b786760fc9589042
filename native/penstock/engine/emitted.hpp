#pragma once

#include <cstdint>

#include "penstock/engine/feedback.hpp"
#include "penstock/engine/flow_run.hpp"
#include "penstock/graph/operator.hpp"
#include "penstock/graph/topology.hpp"

namespace penstock::engine {

// Puts something before an operator, for this run, or before the sink.
void deliver(const graph::Target& target, FlowRun::Delivery delivery, FlowRun& run);

// Where one operator puts what it makes of one source tuple.
class Emitted final : public graph::Output {
 public:
  Emitted(const graph::Topology& topology, int index, FlowRun& run, Feedback& feedback) noexcept
      : node_(&topology.node(index)), index_(index), run_(&run), feedback_(&feedback) {}

  void emit(tuple::Batch batch, int port) override;
  void punctuate(int port) override { send(port, {.mark = true}); }
  [[nodiscard]] int ports() const override { return static_cast<int>(node_->outputs.size()); }

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }

 private:
  void send(int port, const FlowRun::Delivery& delivery);

  const graph::Node* node_;
  int index_;
  FlowRun* run_;
  Feedback* feedback_;
  std::int64_t rows_ = 0;
};

}  // namespace penstock::engine
