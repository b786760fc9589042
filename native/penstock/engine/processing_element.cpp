#include "penstock/engine/processing_element.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

#include "penstock/base/sync.hpp"
#include "penstock/elastic/cpu_probe.hpp"
#include "penstock/engine/failing_row.hpp"
#include "penstock/graph/operator.hpp"

namespace penstock::engine {

namespace {

// The feeder looks up this often while it waits: for an interrupt, and for the control loop.
constexpr auto kNap = std::chrono::milliseconds(50);

std::chrono::nanoseconds now() { return base::RealSync::now(); }

ControlLoop::CpuRule eighty_percent_rule() {
  const auto probe = std::make_shared<elastic::CpuProbe>();
  return [probe](std::chrono::nanoseconds time) {
    using std::chrono::microseconds;
    const auto micros = std::chrono::duration_cast<microseconds>(time).count();
    return probe->allows_more(static_cast<std::uint64_t>(micros));
  };
}

// The machine whose operators the current thread may be running, if it is a worker of one.
thread_local const Machine* worker_of = nullptr;  // NOLINT(*-non-const-global-variables)

}  // namespace

// The right to run the flow, for the length of one next().
class ProcessingElement::Turn {
 public:
  explicit Turn(ProcessingElement& element) : element_(&element), lock_(element.running_) {
    element_->runner_.store(std::this_thread::get_id());
    if (element_->observer_ != nullptr) element_->observer_->enter();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (element_->observer_ != nullptr) element_->observer_->leave();
    element_->runner_.store(std::thread::id());
    // Closed by an operator of ours meanwhile, which could not wait for itself.
    if (element_->closed_.load()) element_->give_back();
  }

 private:
  ProcessingElement* element_;
  std::scoped_lock<std::timed_mutex> lock_;
};

ProcessingElement::ProcessingElement(graph::Topology topology,
                                     std::unique_ptr<tuple::InputStream> input, Options options)
    : machine_(std::make_shared<Machine>(std::move(topology))),
      input_(std::move(input)),
      options_(std::move(options)),
      process_(getpid()) {
  check(options_);
  if (options_.observe || !options_.trace.empty()) observe();
}

ProcessingElement::~ProcessingElement() { close(); }

std::optional<tuple::Batch> ProcessingElement::next() {
  check_process();
  if (inside()) {
    throw std::logic_error("an operator of flow '" + topology().name() +
                           "' asks the flow that is running it for rows");
  }
  const Turn turn(*this);
  while (outbox_.empty()) {
    if (closed_.load()) {
      throw std::runtime_error("flow '" + topology().name() +
                               "' was closed before its input ended");
    }
    if (failure_ && failure_->node == kNoOperator) {
      throw FlowStopped("flow '" + topology().name() + "' was interrupted");
    }
    if (failure_) {
      throw FlowStopped("operator '" + topology().node(failure_->node).name + "' of flow '" +
                        topology().name() + "' failed");
    }
    if (!advance()) return std::nullopt;
  }
  tuple::Batch batch = std::move(outbox_.front());
  outbox_.pop_front();
  return batch;
}

void ProcessingElement::close() noexcept {
  closed_.store(true);
  machine_->line.abandon();
  if (inside()) return;  // waiting for oneself would be for ever; the turn ends by giving back
  const std::unique_lock lock(running_, options_.patience);
  // Not to be had: an operator keeps the feeder, whose turn gives back when it ends.
  if (lock) give_back();
}

void ProcessingElement::limit_threads(int most) {
  if (most < 1) {
    throw std::invalid_argument("a flow needs at least 1 thread, got a limit of " +
                                std::to_string(most));
  }
  most_threads_.store(most, std::memory_order_relaxed);
}

std::vector<Action> ProcessingElement::actions() const {
  const std::scoped_lock lock(actions_lock_);
  return actions_;
}

void ProcessingElement::observe() {
  int workers = options_.threads;
  if (options_.threading == Threading::kManual) workers = 1;
  if (options_.threading == Threading::kDedicated) workers = machine_->line.stations();
  machine_->observer = std::make_unique<Observer>(
      topology(), Observer::Options{.workers = workers, .trace = options_.trace});
  observer_ = machine_->observer.get();
}

std::optional<FlowMetrics> ProcessingElement::metrics() const {
  if (observer_ == nullptr) return std::nullopt;
  return observer_->metrics();
}

std::string ProcessingElement::trace_problem() const {
  return observer_ == nullptr ? "" : observer_->trace_problem();
}

bool ProcessingElement::inside() const noexcept {
  return worker_of == machine_.get() || runner_.load() == std::this_thread::get_id();
}

void ProcessingElement::check_process() const {
  if (getpid() == process_) return;
  throw std::runtime_error(
      "flow '" + topology().name() + "' was started by process " + std::to_string(process_) +
      " and cannot go on in process " + std::to_string(getpid()) +
      ": a fork copies none of its state safely; start the flow after forking");
}

// Called when the first rows are asked for, because no thread must exist before: a flow may be
// set up in one process and run in another.
void ProcessingElement::start() {
  const auto on_start = [machine = machine_.get(), user = options_.hooks.on_start](int worker) {
    worker_of = machine;
    worker_number = worker;
    if (user) user(worker);
  };
  ThreadHooks hooks{.on_start = on_start, .on_finish = options_.hooks.on_finish};
  if (observer_ != nullptr) hooks.meters = observer_->meters();
  machine_->start(options_, hooks);
  model_ = machine_->model.get();
  const bool automatic = options_.threading == Threading::kAutomatic;
  const bool can_change =
      options_.threading == Threading::kDynamic || options_.threading == Threading::kConveyor;
  if (!automatic && !(options_.elastic && can_change)) return;
  control_.emplace(*model_,
                   ControlLoop::Options{.range = {.least = options_.elastic ? 1 : options_.threads,
                                                  .most = options_.threads},
                                        .moves_stops = automatic,
                                        .period = options_.period},
                   options_.cpu_rule ? options_.cpu_rule : eighty_percent_rule(), now());
}

// One step towards the next output; false when there is none to come.
bool ProcessingElement::advance() {
  if (model_ == nullptr) start();
  control();
  // Runs before it may never come through, and nobody wants them any more.
  if (machine_->line.interrupted()) {
    failure_ = machine_->line.interruption();
    return true;
  }
  if (observer_ != nullptr) observer_->level_is(model_->threads());
  if (FlowRun* const done = model_->try_collect()) {
    collect(*done);
    return true;
  }
  if (pending_.rows() == 0 && !input_ended_) pull();
  if (pending_.rows() > 0) {
    if (FlowRun* const run = model_->try_admit()) {
      machine_->line.fill(*run, cut());
      if (observer_ != nullptr) observer_->admitted(*run);
      model_->start(*run);
      return true;
    }
  }
  if (input_ended_ && !model_->under_way()) {
    if (input_error_) std::rethrow_exception(input_error_);
    return false;
  }
  if (pending_.rows() > 0 || input_ended_) help();
  return true;
}

void ProcessingElement::control() {
  const int most = most_threads_.load(std::memory_order_relaxed);
  if (most != 0) most_threads_.store(0, std::memory_order_relaxed);
  if (!control_) {
    if (most == 0) return;
    auto plan = model_->plan();
    plan.threads = std::min(most, options_.threads);
    model_->adopt(plan);
    return;
  }
  if (most != 0) control_->limit_threads(most, now());
  control_->tick(now());
  if (control_->actions_noted() == actions_noted_) return;
  actions_noted_ = control_->actions_noted();
  const std::scoped_lock lock(actions_lock_);
  actions_.assign(control_->actions().begin(), control_->actions().end());
}

void ProcessingElement::help() {
  model_->help(kNap);
  if (!options_.check_interrupt) return;
  const auto time = now();
  if (time - last_check_ < kNap) return;
  last_check_ = time;
  try {
    options_.check_interrupt();
  } catch (const graph::Interrupted& interrupted) {
    machine_->line.abandon();
    failure_ = {.node = kNoOperator, .rows = {}, .cause = interrupted.cause(), .interrupted = true};
  }
}

void ProcessingElement::pull() {
  const schedule::Resting<> blocked(observer_ == nullptr ? nullptr : &observer_->feeder(),
                                    schedule::Rest::kAsleep);
  try {
    if (auto batch = input_->next()) {
      pending_ = std::move(*batch);
    } else {
      input_ended_ = true;
    }
  } catch (...) {
    // What came before the error is delivered first.
    input_error_ = std::current_exception();
    input_ended_ = true;
  }
}

tuple::Tuple ProcessingElement::cut() {
  const std::int64_t rows = options_.rows_per_tuple == 0
                                ? pending_.rows()
                                : std::min(options_.rows_per_tuple, pending_.rows());
  tuple::Tuple tuple{.batch = pending_.slice(0, rows),
                     .origin = {.first = next_row_, .count = rows}};
  next_row_ += rows;
  pending_ =
      rows == pending_.rows() ? tuple::Batch() : pending_.slice(rows, pending_.rows() - rows);
  return tuple;
}

void ProcessingElement::collect(FlowRun& run) {
  if (observer_ != nullptr) observer_->collected(run, *model_);
  auto made = std::exchange(run.out, {});
  const auto source = std::exchange(run.source, {});
  auto failure = std::exchange(run.failure, std::nullopt);
  if (control_) control_->collected(source.origin.count);
  if (failure) {
    machine_->line.abandon();
    // Nothing of a tuple that failed as a whole is known to precede the failure.
    made.clear();
    if (options_.locate_row && !failure->interrupted && topology().stateless()) {
      if (auto found = find_failing_row(topology(), source)) {
        failure = std::move(found->failure);
        made = std::move(found->before);
      }
    }
  }
  std::ranges::move(made, std::back_inserter(outbox_));
  if (failure) failure_ = std::move(failure);
}

void ProcessingElement::give_back() noexcept {
  machine_->line.abandon();
  if (std::exchange(model_, nullptr) != nullptr) retire(machine_, options_.patience);
  if (observer_ != nullptr) observer_->finish();
  if (input_) input_->close();
  pending_ = tuple::Batch();
  outbox_.clear();
}

}  // namespace penstock::engine
