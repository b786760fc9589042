#include "penstock/engine/flow_line.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "penstock/base/activity.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/engine/emitted.hpp"

namespace penstock::engine {

namespace {

WorkerLog::Phase phase_of(Role role) noexcept {
  if (role == Role::kCut) return WorkerLog::Phase::kCut;
  return role == Role::kPart ? WorkerLog::Phase::kPart : WorkerLog::Phase::kWhole;
}

}  // namespace

FlowLine::FlowLine(const graph::Topology& topology, int shares)
    : topology_(&topology), completion_(topology), feedback_(topology) {
  for (int place = 0; place < topology.size(); ++place) add_stations(place, shares);
  first_stations_.push_back(stations());
  stations_.push_back({.role = Role::kSink});
}

void FlowLine::add_stations(int place, int shares) {
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
  if (shares == 1 || station.divided == nullptr || station.divided->parts() == 1 || in_loop) {
    station.in_lane = body->in_lane() || cut_in_lane;
    station.keeps_pace = keeps_pace(topology_->node(node));
    stations_.push_back(station);
    return;
  }
  station.role = Role::kCut;
  station.in_lane = cut_in_lane;
  stations_.push_back(station);
  station.role = Role::kPart;
  station.in_lane = body->in_lane();
  const int parts = station.divided->parts();
  // Channels stay apart, because it changes how many of them are in use.
  const int used = station.resizable >= 0 ? parts : std::min(parts, shares);
  for (int share = 0; share < used; ++share) {
    station.part = parts * share / used;
    station.end_part = parts * (share + 1) / used;
    stations_.push_back(station);
  }
  station.role = Role::kJoin;
  station.in_lane = false;
  stations_.push_back(station);
}

void FlowLine::share_out(std::span<double> costs) const {
  std::vector<double> of_all(resizables_.size());
  const auto for_each_part = [this](auto act) {
    for (std::size_t i = 0; i < stations_.size(); ++i) {
      const Station& here = stations_[i];
      if (here.role == Role::kPart && here.resizable >= 0) {
        act(i, here, static_cast<std::size_t>(here.resizable));
      }
    }
  };
  for_each_part([&](std::size_t at, const Station&, std::size_t of) { of_all[of] += costs[at]; });
  for_each_part([&](std::size_t at, const Station& here, std::size_t of) {
    const Resizable& whole = resizables_[of];
    if (whole.resized) costs[at] = here.part < whole.width ? of_all[of] / whole.width : 0;
  });
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

bool FlowLine::work_some(int station, FlowRun& run) noexcept {
  const Station& here = at(station);
  if (here.role == Role::kSink) {
    if (!run.failures.empty()) completion_.settle(run);
  } else if (is_over(here, run)) {
    pass_by(here, run);
  } else if (!has_nothing_to_do(here, run)) {
    if (logs_.empty()) {
      serve(here, run);
    } else {
      serve_watched(here, run);
    }
  }
  return !run.paused;
}

bool FlowLine::is_over(const Station& here, const FlowRun& run) const noexcept {
  if (abandoned_.load(std::memory_order_acquire)) return true;
  if (!run.failures.empty() && completion_.keeps_out(run, here.node)) return true;
  // State that is on its way from part to part arrives even so.
  return completion_.is_complete(here.node) && !(run.pulse && run.pulse->node == here.node);
}

// What waits is dropped, and what came round.
void FlowLine::pass_by(const Station& here, FlowRun& run) noexcept {
  run.paused.reset();
  if (!here.finishes()) return;
  run.waiting[static_cast<std::size_t>(here.node)].clear();
  static_cast<void>(feedback_.take(here.node));
}

bool FlowLine::has_nothing_to_do(const Station& here, const FlowRun& run) const {
  if (run.pulse && run.pulse->node == here.node) return false;
  return run.waiting[static_cast<std::size_t>(here.node)].empty() &&
         feedback_.is_empty(here.node) && !(run.last && here.finishes());
}

std::int64_t FlowLine::serve(const Station& here, FlowRun& run) noexcept {
  Emitted emitted(*topology_, here.node, run, feedback_);
  const FlowRun::Delivery* delivery = nullptr;
  const auto fail = [&](const std::exception_ptr& cause) -> OperatorFailure& {
    return run.failures.emplace_back(
        OperatorFailure{.node = here.node, .rows = run.source.origin, .cause = cause});
  };
  try {
    process_all(here, run, emitted, delivery);
  } catch (const graph::Interrupted& interrupted) {
    auto& failure = fail(interrupted.cause());
    failure.interrupted = true;
    interrupt(failure);
  } catch (const graph::FailedAtRow& failed) {
    auto& failure = fail(failed.cause());
    failure.inner = failed.inner();
    failure.after_good_rows = failed.row() != graph::FailedAtRow::kUnknownRow;
    if (failure.after_good_rows && delivery != nullptr && delivery->is_source) {
      failure.rows = {.first = run.source.origin.first + failed.row(), .count = 1};
    }
  } catch (...) {
    fail(std::current_exception());
  }
  if (here.finishes() && !run.paused) run.waiting[static_cast<std::size_t>(here.node)].clear();
  return emitted.rows();
}

void FlowLine::process_all(const Station& here, FlowRun& run, Emitted& emitted,
                           const FlowRun::Delivery*& delivery) {
  const graph::Node& node = topology_->node(here.node);
  const base::Activity activity(
      topology_->name().c_str(), node.name.c_str(),
      {.first = run.source.origin.first, .count = run.source.origin.count});
  const auto& waiting = run.waiting[static_cast<std::size_t>(here.node)];
  std::size_t next = 0;
  if (const auto paused = std::exchange(run.paused, std::nullopt)) {
    if (*paused < waiting.size()) delivery = &waiting[*paused];
    node.body->resume(emitted);
    if (breaks_off(here, run, *paused)) return;
    next = *paused + 1;
  } else {
    if (here.finishes()) {
      // It may hold back more for itself while it works on these.
      for (const auto& held : feedback_.take(here.node)) node.body->control(held.tuple, held.port);
    }
    if (run.pulse && run.pulse->node == here.node) resize(here, *run.pulse);
    auto& divided = run.divided[static_cast<std::size_t>(here.node)];
    if (here.role == Role::kCut && divided.size() < waiting.size()) divided.resize(waiting.size());
  }
  for (; next < waiting.size(); ++next) {
    delivery = &waiting[next];
    process_one(here, node, run, next, emitted);
    if (breaks_off(here, run, next)) return;
  }
  delivery = nullptr;
  if (!run.last || !here.finishes() || next > waiting.size()) return;
  if (!run.failures.empty() && !completion_.may_finish(run, here.node)) return;
  node.body->finish(emitted);
  static_cast<void>(breaks_off(here, run, next));
}

bool FlowLine::breaks_off(const Station& here, FlowRun& run, std::size_t index) {
  if (!here.keeps_pace) return false;
  const graph::Operator& body = *topology_->node(here.node).body;
  if (body.paused()) {
    run.paused = index;
    return true;
  }
  if (!body.completed()) return false;
  completion_.complete(here.node, run.serial);
  return true;
}

void FlowLine::serve_watched(const Station& here, FlowRun& run) noexcept {
  std::int64_t tuples = 0;
  std::int64_t rows = 0;
  // What it paused in was counted then; the time of each slice is counted by itself.
  const bool resumed = run.paused.has_value();
  for (const auto& delivery : run.waiting[static_cast<std::size_t>(here.node)]) {
    if (resumed) break;
    ++tuples;
    rows += delivery.tuple.batch.rows();
  }
  WorkerLog& log = logs_[static_cast<std::size_t>(worker_number)];
  auto& counts = log.counts(here.node);
  auto& clock = log.counts(here.node, phase_of(here.role));
  if (!resumed && !log.traced() && clock.is_quick(rows)) {
    clock.untimed();
    const std::int64_t made = serve(here, run);
    if (here.finishes()) counts.count(tuples, rows, made);
    return;
  }
  Visit visit{.node = here.node, .worker = worker_number, .tuples = tuples, .rows_in = rows};
  visit.start_ns = base::RealSync::now().count();
  visit.rows_out = serve(here, run);
  // Most operators have nothing to do at the end, which is not worth a word.
  if (tuples == 0 && visit.rows_out == 0 && !resumed) return;
  visit.end_ns = base::RealSync::now().count();
  if (resumed) {
    clock.spent(visit.end_ns - visit.start_ns);
  } else {
    clock.timed(visit.end_ns - visit.start_ns, rows);
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
  run.worked = {};
  run.visits.clear();
  // A run visits a station once, unless it pauses there, and fails once as a rule: no room has to
  // be made while operators run.
  run.failures.clear();
  run.failures.reserve(1);
  if (!logs_.empty() && logs_.front().traced()) run.visits.reserve(stations_.size());
  run.failure.reset();
  run.paused.reset();
  run.pulse.reset();
  run.widths.clear();
  for (const Resizable& each : resizables_) run.widths.push_back(each.width);
  run.last = false;
  run.ends_batch = true;
}

}  // namespace penstock::engine
