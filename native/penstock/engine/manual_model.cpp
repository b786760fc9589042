#include "penstock/engine/manual_model.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::engine {

// What one operator made of one tuple, port by port in the order it was emitted.
class ManualModel::Emitted final : public graph::Output {
 public:
  Emitted(ManualModel& model, const graph::Node& node, tuple::RowRange origin) noexcept
      : model_(&model), node_(&node), origin_(origin) {}

  void emit(tuple::Batch batch, int port) override {
    PENSTOCK_CHECK(port >= 0 && static_cast<std::size_t>(port) < node_->outputs.size(),
                   "an operator may emit only to the output ports it declared");
    if (batch.rows() == 0) return;
    model_->forward(node_->outputs[static_cast<std::size_t>(port)],
                    {.batch = std::move(batch), .origin = origin_});
  }

 private:
  ManualModel* model_;
  const graph::Node* node_;
  tuple::RowRange origin_;
};

std::optional<OperatorFailure> ManualModel::run(const tuple::Tuple& tuple,
                                                std::vector<tuple::Batch>& outbox) {
  steps_.clear();
  forward(topology_->first(), tuple);
  std::ranges::reverse(steps_);
  while (!steps_.empty()) {
    const Step step = std::move(steps_.back());
    steps_.pop_back();
    if (step.target.node == graph::kSink) {
      outbox.push_back(step.tuple.batch);
      continue;
    }
    const auto before = static_cast<std::ptrdiff_t>(steps_.size());
    const graph::Node& node = topology_->node(step.target.node);
    OperatorFailure failure{.node = step.target.node, .rows = tuple.origin, .cause = nullptr};
    try {
      Emitted emitted(*this, node, tuple.origin);
      node.body->process(step.tuple, step.target.port, emitted);
    } catch (const graph::Interrupted& interrupted) {
      failure.cause = interrupted.cause();
      failure.interrupted = true;
    } catch (...) {
      failure.cause = std::current_exception();
    }
    if (failure.cause) {
      steps_.clear();
      return failure;
    }
    // Emitted first runs first, and the next to run is last.
    std::ranges::reverse(std::ranges::subrange(steps_.begin() + before, steps_.end()));
  }
  return std::nullopt;
}

void ManualModel::forward(const std::vector<graph::Target>& targets, const tuple::Tuple& tuple) {
  for (const graph::Target& target : targets) steps_.push_back({.target = target, .tuple = tuple});
}

}  // namespace penstock::engine
