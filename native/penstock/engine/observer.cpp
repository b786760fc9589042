#include "penstock/engine/observer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "penstock/base/coarse_clock.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/engine/states.hpp"

namespace penstock::engine {

namespace {

// Queues are looked at once in so many runs: a look at each of many queues is no small thing.
constexpr std::int64_t kRunsBetweenLooks = 64;

std::chrono::nanoseconds now() noexcept { return base::RealSync::now(); }

// Pauses much shorter than a jump of the coarse clock come out right on average: each has its share
// of the jumps.
constexpr std::int64_t kYoungNs = 400'000'000;  // then a jump more or less is one percent

double mean(std::int64_t sum, std::int64_t count) {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

Observer::Observer(const FlowLine& line, const Options& options)
    : line_(&line),
      topology_(&line.topology()),
      meters_(static_cast<std::size_t>(options.workers)),
      waiting_(static_cast<std::size_t>(topology_->size()) + 1) {
  logs_.reserve(meters_.size());
  for (int worker = 0; worker < options.workers; ++worker) {
    logs_.emplace_back(topology_->size(), !options.trace.empty());
  }
  if (!options.trace.empty()) trace_.emplace(options.trace, topology_->name(), now().count());
}

void Observer::enter() {
  outer_number_ = std::exchange(worker_number, 0);
  const auto moment = feeder_time();
  if (started_ns_.value() == 0) {
    started_ns_.add(moment.count());
    feeder().start(moment);
    return;
  }
  feeder().end(schedule::Rest::kAway, moment);
  // Only now: a pause begins and ends by one clock.
  young_ = young_ && since_start(moment.count()) < kYoungNs;
}

void Observer::leave() noexcept {
  feeder().begin(schedule::Rest::kAway, feeder_time());
  worker_number = outer_number_;
}

std::chrono::nanoseconds Observer::feeder_time() const noexcept {
  return young_ ? now() : base::coarse_now();
}

void Observer::level_changed(int level) {
  const auto moment = now().count();
  level_ = level;
  const std::scoped_lock lock(changing_);
  levels_.push_back({.at_ns = since_start(moment), .level = level});
  if (trace_) trace_->number("level", level, moment);
}

void Observer::admitted(const FlowRun& run) {
  if (run.last) return;  // it carries the end of the input, and is not counted
  admitted_.add(1);
  const auto under_way = admitted_.value() - collected_.value();
  under_way_sum_.add(under_way);
  under_way_most_.raise_to(under_way);
}

void Observer::collected(const FlowRun& run, const ThreadingModel& model) {
  if (trace_) trace_visits(run);
  if (run.last) return;
  if (collected_.value() % kRunsBetweenLooks == 0) look_at_queues(model);
  collected_.add(1);
  if (trace_) {
    trace_->number("runs under way", admitted_.value() - collected_.value(), now().count());
  }
}

void Observer::came_through(std::int64_t rows) {
  rows_.add(rows);
  const auto at_ns = since_start(base::coarse_now().count());
  if (!pace_.wants(at_ns)) return;
  const std::scoped_lock lock(changing_);
  pace_.add({.at_ns = at_ns, .rows = rows_.value()});
}

void Observer::look_at_queues(const ThreadingModel& model) {
  looks_.add(1);
  for (std::size_t place = 0; place < waiting_.size(); ++place) {
    const int station = line_->first_station(static_cast<int>(place));
    const auto waiting = static_cast<std::int64_t>(model.waiting_hint(station));
    waiting_[place].sum.add(waiting);
    waiting_[place].most.raise_to(waiting);
  }
}

void Observer::trace_visits(const FlowRun& run) {
  for (const Visit& visit : run.visits) {
    trace_->visit(visit, topology_->node(visit.node).name, run.serial);
  }
}

void Observer::finish() noexcept {
  if (finished_ns_.value() != 0) return;
  const auto moment = now();
  finished_ns_.add(moment.count());
  if (started_ns_.value() != 0) feeder().finish(moment);
  if (trace_) trace_->finish();
}

FlowMetrics Observer::metrics() const {
  FlowMetrics metrics;
  for (int node = 0; node < topology_->size(); ++node) {
    metrics.operators.push_back(operator_metrics(node));
  }
  // Where a run waits is a station; whose queue it is, an operator.
  for (std::size_t place = 0; place + 1 < waiting_.size(); ++place) {
    auto& made = metrics.operators[static_cast<std::size_t>(topology_->order()[place])];
    made.waiting_mean = mean(waiting_[place].sum.value(), looks_.value());
    made.waiting_most = waiting_[place].most.value();
  }
  {
    const std::scoped_lock lock(changing_);
    metrics.levels = levels_;
    metrics.pace = pace_.points();
  }
  metrics.runs = collected_.value();
  metrics.under_way_mean = mean(under_way_sum_.value(), admitted_.value());
  metrics.under_way_most = under_way_most_.value();
  const auto finished = finished_ns_.value();
  const auto moment = finished != 0 ? std::chrono::nanoseconds(finished) : now();
  metrics.elapsed_ns = since_start(moment.count());
  for (std::size_t worker = 0; worker < meters_.size(); ++worker) {
    const auto read = meters_[worker].read(moment);
    if (!read.started) continue;
    metrics.workers.push_back({.worker = static_cast<int>(worker),
                               .busy_ns = read.busy.count(),
                               .blocked_ns = read.asleep.count(),
                               .pieces = read.pieces});
  }
  return metrics;
}

OperatorMetrics Observer::operator_metrics(int node) const {
  OperatorMetrics metrics{.name = topology_->node(node).name,
                          .late = late_rows(topology_->node(node))};
  for (const auto& log : logs_) {
    const auto& counts = log.counts(node);
    metrics.tuples += counts.tuples();
    metrics.rows_in += counts.rows_in();
    metrics.rows_out += counts.rows_out();
    metrics.busy_ns += log.busy_ns(node);
  }
  return metrics;
}

std::int64_t Observer::since_start(std::int64_t ns) const noexcept {
  const auto started = started_ns_.value();
  return started == 0 ? 0 : std::max<std::int64_t>(ns - started, 0);
}

}  // namespace penstock::engine
