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

FlowLine::FlowLine(const graph::Topology& topology, bool divided)
    : topology_(&topology),
      place_(static_cast<std::size_t>(topology.size())),
      held_(static_cast<std::size_t>(topology.size())) {
  for (int place = 0; place < topology.size(); ++place) {
    place_[static_cast<std::size_t>(topology.order()[static_cast<std::size_t>(place)])] = place;
    add_stations(place, divided);
  }
  first_stations_.push_back(stations());
  stations_.push_back({.role = Role::kSink});
}

void FlowLine::add_stations(int place, bool divided) {
  first_stations_.push_back(stations());
  const int node = topology_->order()[static_cast<std::size_t>(place)];
  const bool last = place + 1 == topology_->size();
  const bool bound = topology_->in_loop_with_previous(place);
  graph::Operator* const body = topology_->node(node).body.get();
  PENSTOCK_CHECK(body != nullptr, "every operator has a body");
  Station station{.node = node, .bound = bound};
  station.divided = dynamic_cast<graph::DividedOperator*>(body);
  const bool cut_in_lane = station.divided != nullptr && station.divided->cut_in_lane();
  if (auto* const resizable = dynamic_cast<graph::ResizableOperator*>(body)) {
    station.resizable = static_cast<int>(resizables_.size());
    resizables_.push_back({.node = node, .width = resizable->widths().first, .body = resizable});
  }
  // In a loop the next run must not come before this one is through: there is nothing to divide.
  const bool in_loop = bound || (!last && topology_->in_loop_with_previous(place + 1));
  if (!divided || station.divided == nullptr || station.divided->parts() == 1 || in_loop) {
    station.in_lane = body->in_lane() || cut_in_lane;
    stations_.push_back(station);
    return;
  }
  station.role = Role::kCut;
  station.in_lane = cut_in_lane;
  stations_.push_back(station);
  station.role = Role::kPart;
  station.in_lane = body->in_lane();
  for (; station.part < station.divided->parts(); ++station.part) stations_.push_back(station);
  station.role = Role::kJoin;
  station.in_lane = false;
  station.part = 0;
  stations_.push_back(station);
}

bool FlowLine::serial(int station) const {
  const Station& here = at(station);
  switch (here.role) {
    case Role::kWhole:
      return topology_->node(here.node).kind != graph::Kind::kStateless;
    case Role::kCut:
    case Role::kJoin:
      return false;
    case Role::kPart:
    case Role::kSink:
      break;
  }
  return true;
}

bool FlowLine::bound(int station) const { return at(station).bound; }

void FlowLine::work(int station, FlowRun& run) noexcept {
  const Station& here = at(station);
  if (here.role == Role::kSink || (run.failure && !run.failure->after_good_rows)) return;
  if (abandoned_.load(std::memory_order_acquire) || has_nothing_to_do(here, run)) return;
  if (logs_.empty()) {
    serve(here, run);
  } else {
    serve_watched(here, run);
  }
}

bool FlowLine::has_nothing_to_do(const Station& here, const FlowRun& run) const {
  const auto index = static_cast<std::size_t>(here.node);
  if (run.pulse && run.pulse->node == here.node) return false;
  return run.waiting[index].empty() && held_[index].empty() && !(run.last && here.finishes());
}

std::int64_t FlowLine::serve(const Station& here, FlowRun& run) noexcept {
  Emitted emitted(*this, here.node, run);
  const FlowRun::Delivery* delivery = nullptr;
  const auto fail = [&](const std::exception_ptr& cause) {
    run.failure = {.node = here.node, .rows = run.source.origin, .cause = cause};
  };
  try {
    process_all(here, run, emitted, delivery);
  } catch (const graph::Interrupted& interrupted) {
    fail(interrupted.cause());
    run.failure->interrupted = true;
    interrupt(*run.failure);
  } catch (const graph::FailedAtRow& failed) {
    fail(failed.cause());
    run.failure->inner = failed.inner();
    run.failure->after_good_rows = failed.row() != graph::FailedAtRow::kUnknownRow;
    if (run.failure->after_good_rows && delivery->is_source) {
      run.failure->rows = {.first = run.source.origin.first + failed.row(), .count = 1};
    }
  } catch (...) {
    fail(std::current_exception());
  }
  if (here.finishes()) run.waiting[static_cast<std::size_t>(here.node)].clear();
  return emitted.rows();
}

void FlowLine::process_all(const Station& here, FlowRun& run, Emitted& emitted,
                           const FlowRun::Delivery*& delivery) {
  if (here.finishes()) take_control(here.node);
  if (run.pulse && run.pulse->node == here.node) resize(here, *run.pulse);
  const auto& waiting = run.waiting[static_cast<std::size_t>(here.node)];
  auto& divided = run.divided[static_cast<std::size_t>(here.node)];
  if (here.role == Role::kCut && divided.size() < waiting.size()) divided.resize(waiting.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    delivery = &waiting[i];
    process_one(here, topology_->node(here.node), run, i, emitted);
  }
  if (run.last && here.finishes() && !run.failure) topology_->node(here.node).body->finish(emitted);
}

// Only looked at where nothing is ever held back: an operator without state runs on many threads.
void FlowLine::take_control(int index) {
  auto& held_back = held_[static_cast<std::size_t>(index)];
  if (held_back.empty()) return;
  // It may hold back more for itself while it works on these.
  for (const auto& held : std::exchange(held_back, {})) {
    topology_->node(index).body->control(held.tuple, held.port);
  }
}

void FlowLine::serve_watched(const Station& here, FlowRun& run) noexcept {
  std::int64_t tuples = 0;
  std::int64_t rows = 0;
  for (const auto& delivery : run.waiting[static_cast<std::size_t>(here.node)]) {
    ++tuples;
    rows += delivery.tuple.batch.rows();
  }
  WorkerLog& log = logs_[static_cast<std::size_t>(worker_number)];
  auto& counts = log.counts(here.node);
  if (here.role == Role::kWhole && !log.traced() && counts.is_quick(rows)) {
    counts.untimed();
    counts.count(tuples, rows, serve(here, run));
    return;
  }
  Visit visit{.node = here.node, .worker = worker_number, .tuples = tuples, .rows_in = rows};
  visit.start_ns = base::RealSync::now().count();
  visit.rows_out = serve(here, run);
  // Most operators have nothing to do at the end, which is not worth a word.
  if (tuples == 0 && visit.rows_out == 0) return;
  visit.end_ns = base::RealSync::now().count();
  if (here.role == Role::kWhole) {
    counts.timed(visit.end_ns - visit.start_ns, rows);
  } else {
    counts.spent(visit.end_ns - visit.start_ns);
  }
  if (here.finishes()) counts.count(tuples, rows, visit.rows_out);
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
    deliver(target, {.tuple = run.source, .is_source = true}, run);
  }
}

void FlowLine::fill_pulse(FlowRun& run, FlowRun::Pulse pulse, std::int64_t next) const {
  empty(run);
  run.source = {.batch = {}, .origin = {.first = next, .count = 0}};
  run.pulse = std::move(pulse);
}

void FlowLine::fill_last(FlowRun& run, std::int64_t end) const {
  empty(run);
  run.source = {.batch = {}, .origin = {.first = end, .count = 0}};
  run.last = true;
}

void FlowLine::empty(FlowRun& run) const {
  run.waiting.resize(static_cast<std::size_t>(topology_->size()));
  run.divided.resize(run.waiting.size());
  for (auto& waiting : run.waiting) waiting.clear();
  run.out.clear();
  run.visits.clear();
  // A run visits a station once: no room has to be made while operators run.
  if (!logs_.empty() && logs_.front().traced()) run.visits.reserve(stations_.size());
  run.failure.reset();
  run.pulse.reset();
  run.widths.clear();
  for (const Resizable& each : resizables_) run.widths.push_back(each.width);
  run.last = false;
  run.ends_batch = true;
}

void FlowLine::deliver(const graph::Target& target, FlowRun::Delivery delivery, FlowRun& run) {
  if (target.node != graph::kSink) {
    delivery.port = target.port;
    run.waiting[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
  } else {
    // A mark is a batch that is nothing: what leaves is cut there.
    run.out.push_back(delivery.mark ? tuple::Batch() : std::move(delivery.tuple.batch));
  }
}

void FlowLine::hold_back(const graph::Target& target, FlowRun::Delivery delivery) {
  if (delivery.mark) return;  // a mark going round would never come to an end
  delivery.port = target.port;
  held_[static_cast<std::size_t>(target.node)].push_back(std::move(delivery));
}

}  // namespace penstock::engine
