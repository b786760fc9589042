#include "penstock/engine/flow_line.hpp"

#include <exception>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::engine {

// Where one operator puts what it makes of one source tuple.
class FlowLine::Emitted final : public graph::Output {
 public:
  Emitted(const graph::Node& node, FlowRun& run) noexcept : node_(&node), run_(&run) {}

  void emit(tuple::Batch batch, int port) override {
    PENSTOCK_CHECK(port >= 0 && static_cast<std::size_t>(port) < node_->outputs.size(),
                   "an operator may emit only to the output ports it declared");
    if (batch.rows() == 0) return;
    rows_ += batch.rows();
    deliver(node_->outputs[static_cast<std::size_t>(port)],
            {.batch = std::move(batch), .origin = run_->source.origin}, *run_);
  }

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }

 private:
  const graph::Node* node_;
  FlowRun* run_;
  std::int64_t rows_ = 0;
};

bool FlowLine::serial(int station) const {
  return station == topology_->size() ||
         topology_->node(node_at(station)).kind != graph::Kind::kStateless;
}

void FlowLine::work(int station, FlowRun& run) const noexcept {
  if (station == topology_->size() || run.failure) return;
  if (abandoned_.load(std::memory_order_relaxed)) return;
  const int index = node_at(station);
  if (run.waiting[static_cast<std::size_t>(index)].empty()) return;
  if (run.log == nullptr) {
    serve(index, run);
  } else {
    serve_watched(index, run);
  }
}

std::int64_t FlowLine::serve(int index, FlowRun& run) const noexcept {
  auto& waiting = run.waiting[static_cast<std::size_t>(index)];
  const graph::Node& node = topology_->node(index);
  Emitted emitted(node, run);
  try {
    for (const auto& delivery : waiting) {
      node.body->process(delivery.tuple, delivery.port, emitted);
    }
  } catch (const graph::Interrupted& interrupted) {
    run.failure = {.node = index,
                   .rows = run.source.origin,
                   .cause = interrupted.cause(),
                   .interrupted = true};
    interrupt(*run.failure);
  } catch (...) {
    run.failure = {.node = index, .rows = run.source.origin, .cause = std::current_exception()};
  }
  waiting.clear();
  return emitted.rows();
}

void FlowLine::serve_watched(int index, FlowRun& run) const noexcept {
  const auto& waiting = run.waiting[static_cast<std::size_t>(index)];
  std::int64_t rows = 0;
  for (const auto& delivery : waiting) rows += delivery.tuple.batch.rows();
  Visit visit = run.log->arrive(index, static_cast<std::int64_t>(waiting.size()), rows);
  run.log->depart(visit, serve(index, run));
}

void FlowLine::interrupt(const OperatorFailure& failure) const noexcept {
  abandon();
  if (interrupting_.exchange(true, std::memory_order_relaxed)) return;
  interruption_ = failure;
  interrupted_.store(true, std::memory_order_release);
}

void FlowLine::fill(FlowRun& run, tuple::Tuple tuple) const {
  run.waiting.resize(static_cast<std::size_t>(topology_->size()));
  for (auto& waiting : run.waiting) waiting.clear();
  run.out.clear();
  run.failure.reset();
  run.source = std::move(tuple);
  deliver(topology_->first(), run.source, run);
}

void FlowLine::deliver(const std::vector<graph::Target>& targets, const tuple::Tuple& tuple,
                       FlowRun& run) {
  for (const graph::Target& target : targets) {
    if (target.node == graph::kSink) {
      run.out.push_back(tuple.batch);
    } else {
      run.waiting[static_cast<std::size_t>(target.node)].push_back(
          {.port = target.port, .tuple = tuple});
    }
  }
}

}  // namespace penstock::engine
