#include "penstock/engine/flow_line.hpp"

#include <exception>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::engine {

// Where one operator puts what it makes of one source tuple.
class FlowLine::Emitted final : public graph::Output {
 public:
  Emitted(FlowLine& line, int index, FlowRun& run) noexcept
      : line_(&line), index_(index), run_(&run) {}

  void emit(tuple::Batch batch, int port) override {
    if (batch.rows() == 0) return;
    rows_ += batch.rows();
    send(port, {.tuple = {.batch = std::move(batch), .origin = run_->source.origin}});
  }
  void punctuate(int port) override { send(port, {.mark = true}); }
  [[nodiscard]] int ports() const override { return static_cast<int>(node().outputs.size()); }

  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }

 private:
  [[nodiscard]] const graph::Node& node() const { return line_->topology_->node(index_); }

  void send(int port, const FlowRun::Delivery& delivery) {
    PENSTOCK_CHECK(port >= 0 && port < ports(),
                   "an operator may emit only to the output ports it declared");
    for (const graph::Target& target : node().outputs[static_cast<std::size_t>(port)]) {
      if (target.node != graph::kSink && leads_back(target)) {
        line_->hold_back(target, delivery);
      } else {
        FlowLine::deliver(target, delivery, *run_);
      }
    }
  }
  [[nodiscard]] bool leads_back(const graph::Target& target) const {
    return line_->place_[static_cast<std::size_t>(target.node)] <=
           line_->place_[static_cast<std::size_t>(index_)];
  }

  FlowLine* line_;
  int index_;
  FlowRun* run_;
  std::int64_t rows_ = 0;
};

FlowLine::FlowLine(const graph::Topology& topology)
    : topology_(&topology),
      place_(static_cast<std::size_t>(topology.size())),
      held_(static_cast<std::size_t>(topology.size())) {
  for (int i = 0; i < topology.size(); ++i) place_[static_cast<std::size_t>(node_at(i))] = i;
}

bool FlowLine::serial(int station) const {
  return station == topology_->size() ||
         topology_->node(node_at(station)).kind != graph::Kind::kStateless;
}

bool FlowLine::bound(int station) const {
  return station != topology_->size() && topology_->in_loop_with_previous(station);
}

void FlowLine::work(int station, FlowRun& run) noexcept {
  if (station == topology_->size() || run.failure) return;
  if (abandoned_.load(std::memory_order_acquire)) return;
  const auto index = static_cast<std::size_t>(node_at(station));
  if (run.waiting[index].empty() && !run.last && held_[index].empty()) return;
  if (logs_.empty()) {
    serve(static_cast<int>(index), run);
  } else {
    serve_watched(static_cast<int>(index), run);
  }
}

std::int64_t FlowLine::serve(int index, FlowRun& run) noexcept {
  Emitted emitted(*this, index, run);
  try {
    process_all(index, run, emitted);
  } catch (const graph::Interrupted& interrupted) {
    run.failure = {.node = index,
                   .rows = run.source.origin,
                   .cause = interrupted.cause(),
                   .interrupted = true};
    interrupt(*run.failure);
  } catch (...) {
    run.failure = {.node = index, .rows = run.source.origin, .cause = std::current_exception()};
  }
  run.waiting[static_cast<std::size_t>(index)].clear();
  return emitted.rows();
}

void FlowLine::process_all(int index, FlowRun& run, Emitted& emitted) {
  const graph::Node& node = topology_->node(index);
  // Only looked at where nothing is ever held back: an operator without state runs on many threads.
  if (auto& held_back = held_[static_cast<std::size_t>(index)]; !held_back.empty()) {
    // It may hold back more for itself while it works on these.
    for (const auto& held : std::exchange(held_back, {})) {
      node.body->control(held.tuple, held.port);
    }
  }
  for (const auto& delivery : run.waiting[static_cast<std::size_t>(index)]) {
    if (delivery.mark) {
      node.body->punctuate(delivery.port, emitted);
    } else if (node.is_control(delivery.port)) {
      node.body->control(delivery.tuple, delivery.port);
    } else {
      node.body->process(delivery.tuple, delivery.port, emitted);
    }
  }
  if (run.last) node.body->finish(emitted);
}

void FlowLine::serve_watched(int index, FlowRun& run) noexcept {
  const auto& waiting = run.waiting[static_cast<std::size_t>(index)];
  std::int64_t tuples = 0;
  std::int64_t rows = 0;
  for (const auto& delivery : waiting) {
    ++tuples;
    rows += delivery.tuple.batch.rows();
  }
  WorkerLog& log = logs_[static_cast<std::size_t>(worker_number)];
  auto& counts = log.counts(index);
  if (!log.traced() && counts.is_quick(rows)) {
    counts.untimed();
    counts.count(tuples, rows, serve(index, run));
    return;
  }
  Visit visit{.node = index, .worker = worker_number, .tuples = tuples, .rows_in = rows};
  visit.start_ns = base::RealSync::now().count();
  visit.rows_out = serve(index, run);
  // Most operators have nothing to do at the end, which is not worth a word.
  if (tuples == 0 && visit.rows_out == 0) return;
  visit.end_ns = base::RealSync::now().count();
  counts.timed(visit.end_ns - visit.start_ns, rows);
  counts.count(tuples, rows, visit.rows_out);
  if (log.traced()) run.visits.push_back(visit);
}

void FlowLine::interrupt(const OperatorFailure& failure) noexcept {
  abandon();
  if (interrupting_.exchange(true, std::memory_order_relaxed)) return;
  interruption_ = failure;
  interrupted_.store(true, std::memory_order_release);
}

void FlowLine::fill(FlowRun& run, tuple::Tuple tuple) const {
  empty(run);
  run.source = std::move(tuple);
  for (const graph::Target& target : topology_->first()) {
    deliver(target, {.tuple = run.source}, run);
  }
}

void FlowLine::fill_last(FlowRun& run, std::int64_t end) const {
  empty(run);
  run.source = {.batch = {}, .origin = {.first = end, .count = 0}};
  run.last = true;
}

void FlowLine::empty(FlowRun& run) const {
  run.waiting.resize(static_cast<std::size_t>(topology_->size()));
  for (auto& waiting : run.waiting) waiting.clear();
  run.out.clear();
  run.visits.clear();
  // A run visits an operator once: no room has to be made while operators run.
  if (!logs_.empty() && logs_.front().traced()) run.visits.reserve(run.waiting.size());
  run.failure.reset();
  run.last = false;
}

void FlowLine::deliver(const graph::Target& target, FlowRun::Delivery delivery, FlowRun& run) {
  if (target.node != graph::kSink) {
    delivery.port = target.port;
    run.waiting[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
  } else if (!delivery.mark) {
    run.out.push_back(std::move(delivery.tuple.batch));
  }
}

void FlowLine::hold_back(const graph::Target& target, FlowRun::Delivery delivery) {
  if (delivery.mark) return;  // a mark going round would never come to an end
  delivery.port = target.port;
  held_[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
}

}  // namespace penstock::engine
