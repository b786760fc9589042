#include "penstock/engine/processing_element.hpp"

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/engine/failing_row.hpp"
#include "penstock/graph/operator.hpp"

namespace penstock::engine {

namespace {

// The feeder looks up this often while it waits: for an interrupt, and for the control loop.
constexpr auto kNap = std::chrono::milliseconds(50);

// The machine whose operators the current thread may be running, if it is a worker of one.
thread_local const Machine* worker_of = nullptr;  // NOLINT(*-non-const-global-variables)

}  // namespace

// The right to run the flow, for the length of one next().
class ProcessingElement::Turn {
 public:
  explicit Turn(ProcessingElement& element) : element_(&element), lock_(element.running_) {
    element_->runner_.store(std::this_thread::get_id());
    if (element_->observer_ != nullptr) element_->observer_->enter();
    if (auto* const taker = element_->governor_.at_taker()) taker->enter();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    if (auto* const taker = element_->governor_.at_taker()) taker->leave();
    if (element_->observer_ != nullptr) element_->observer_->leave();
    element_->runner_.store(std::thread::id());
    // Closed by an operator of ours meanwhile, which could not wait for itself.
    if (element_->closed_.load()) element_->give_back();
  }

 private:
  ProcessingElement* element_;
  std::scoped_lock<TimedMutex> lock_;
};

ProcessingElement::ProcessingElement(graph::Topology topology,
                                     std::unique_ptr<tuple::InputStream> input, Options options)
    : machine_(std::make_shared<Machine>(std::move(topology), shares_of_parts(options))),
      options_(checked(std::move(options))),
      regions_(machine_->line),
      input_(std::move(input), {.rows = options_.rows_per_tuple,
                                .by_cost = divides(options_) && machine_->topology.row_by_row()}),
      governor_(options_),
      outbox_(options_.output),
      process_(getpid()) {
  if (is_watched(options_) || needs_meters(options_)) observe();
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
    check_going_on();
    ended_ = !advance();
    if (ended_) return std::nullopt;
  }
  if (model_ != nullptr) model_->tell_others();
  return outbox_.take();
}

void ProcessingElement::check_going_on() const {
  const bool closed = closed_.load();
  if (!closed && !failure_) return;
  const std::string flow = "flow '" + topology().name() + "'";
  if (closed) throw std::runtime_error(flow + " was closed before its input ended");
  if (failure_->node == kNoOperator) throw FlowStopped(flow + " was interrupted");
  throw FlowStopped("operator '" + topology().node(failure_->node).name + "' of " + flow +
                    " failed");
}

std::vector<OperatorState> ProcessingElement::states() const {
  if (model_ == nullptr || ended_) return states_of(topology());
  throw std::logic_error("flow '" + topology().name() +
                         "' is running: what its operators remember can be read in the end");
}

void ProcessingElement::restore(const std::string& name, const std::vector<tuple::Batch>& rows) {
  if (model_ != nullptr || ended_) {
    throw std::logic_error("flow '" + topology().name() +
                           "' has begun: operators are reminded before the first row");
  }
  engine::restore(topology(), name, rows);
}

void ProcessingElement::close() noexcept {
  stop();
  if (forked()) {
    leave_behind();
    return;
  }
  if (inside()) return;  // waiting for oneself would be for ever; the turn ends by giving back
  const std::unique_lock lock(running_, options_.patience);
  // Not to be had: an operator keeps the feeder, whose turn gives back when it ends.
  if (lock) give_back();
}

void ProcessingElement::observe() {
  int workers = options_.threads;
  if (options_.threading == Threading::kManual) workers = 1;
  if (options_.threading == Threading::kDedicated) workers = machine_->line.stations();
  machine_->observer = std::make_unique<Observer>(
      machine_->line, Observer::Options{.workers = workers, .trace = options_.trace});
  observer_ = machine_->observer.get();
  if (is_watched(options_)) machine_->line.watch(observer_->logs());
}

std::optional<FlowMetrics> ProcessingElement::metrics() const {
  if (!is_watched(options_)) return std::nullopt;
  return observer_->metrics();
}

bool ProcessingElement::inside() const noexcept {
  return worker_of == machine_.get() || runner_.load() == std::this_thread::get_id();
}

bool ProcessingElement::forked() const noexcept { return getpid() != process_; }

void ProcessingElement::check_process() const {
  if (!forked()) return;
  throw std::runtime_error(
      "flow '" + topology().name() + "' was started by process " + std::to_string(process_) +
      " and cannot go on in process " + std::to_string(getpid()) +
      ": a fork copies none of its state safely; start the flow after forking");
}

// Called when the first rows are asked for, because no thread must exist before: a flow may be
// set up in one process and run in another.
void ProcessingElement::start() {
  const auto on_start = [machine = machine_.get(), user = options_.hooks.on_start](int worker) {
    PENSTOCK_CHECK(machine->observer == nullptr || machine->observer->has_room_for(worker),
                   "no two workers write to one log");
    worker_of = machine;
    worker_number = worker;
    if (user) user(worker);
  };
  ThreadHooks hooks{.on_start = on_start, .on_finish = options_.hooks.on_finish};
  if (observer_ != nullptr) hooks.meters = observer_->meters();
  machine_->start(options_, hooks, governor_.begin());
  model_ = machine_->model.get();
  governor_.start(*model_, regions_, hooks.meters);
}

// One step towards the next output; false when there is none to come.
bool ProcessingElement::advance() {
  if (model_ == nullptr) start();
  governor_.step(*model_);
  // Runs before it may never come through, and nobody wants them any more.
  if (machine_->line.interrupted()) {
    interrupt(machine_->line.interruption());
    return true;
  }
  if (observer_ != nullptr) observer_->level_is(model_->threads());
  if (FlowRun* const done = model_->try_collect()) {
    collect(*done);
    return true;
  }
  // Also what was pulled too early, and an error that came of it: one thread would not have.
  if (machine_->line.input_is_unwanted()) input_.stop();
  if (!input_.has_rows() && !input_.ended()) pull();
  if (failure_ || admit()) return true;
  if (input_.ended() && !input_.has_rows() && !model_->under_way()) {
    if (input_.error()) std::rethrow_exception(input_.error());
    if (last_run_sent_) return false;
  }
  if (input_.has_rows() || input_.ended()) help();
  return true;
}

// Sends the next run on its way: rows, or the final mark behind them; false when there is neither
// or no room.
bool ProcessingElement::admit() {
  // Behind the last run nothing moves: what operators still know leaves when it is through.
  if (regions_.pulse_is_due() && !last_run_sent_) return admit_pulse();
  if (!regions_.admits_rows()) return false;
  const bool last = input_.ended() && !input_.has_rows() && !input_.error();
  if (last ? last_run_sent_ : !input_.has_rows()) return false;
  FlowRun* const run = model_->try_admit();
  if (run == nullptr) return false;
  if (last) {
    machine_->line.fill_last(*run, input_.next_row());
    last_run_sent_ = true;
  } else {
    machine_->line.fill(*run, input_.cut());
    run->ends_batch = !input_.has_rows();
  }
  if (observer_ != nullptr) observer_->admitted(*run);
  model_->start(*run, input_.has_rows());
  return true;
}

bool ProcessingElement::admit_pulse() {
  FlowRun* const run = model_->try_admit();
  if (run == nullptr) return false;
  regions_.fill(*run, input_.next_row());
  if (observer_ != nullptr) observer_->admitted(*run);
  model_->start(*run, false);
  return true;
}

void ProcessingElement::help() {
  model_->help(governor_.nap(kNap));
  if (!options_.check_interrupt) return;
  const auto time = base::RealSync::now();
  if (time - last_check_ < kNap) return;
  last_check_ = time;
  try {
    options_.check_interrupt();
  } catch (const graph::Interrupted& interrupted) {
    interrupt({.node = kNoOperator, .rows = {}, .cause = interrupted.cause(), .interrupted = true});
  }
}

void ProcessingElement::pull() {
  const schedule::Resting<> blocked(observer_ == nullptr ? nullptr : &observer_->feeder(),
                                    schedule::Rest::kAsleep);
  {
    const Outside<>::Stay stay(governor_.at_input());
    input_.pull();
  }
  if (!input_.error() || !options_.input_interrupted || !options_.input_interrupted()) return;
  interrupt({.node = kNoOperator, .rows = {}, .cause = input_.error(), .interrupted = true});
}

void ProcessingElement::interrupt(OperatorFailure failure) {
  machine_->line.abandon();
  outbox_.complete();
  failure_ = std::move(failure);
}

void ProcessingElement::collect(FlowRun& run) {
  if (observer_ != nullptr) observer_->collected(run, *model_);
  auto made = std::exchange(run.out, {});
  const auto source = std::exchange(run.source, {});
  auto failure = std::exchange(run.failure, std::nullopt);
  governor_.collected(source.origin.count);
  input_.took(source.origin.count, run.worked);
  if (observer_ != nullptr) observer_->came_through(source.origin.count);
  if (machine_->line.input_unwanted_since() == run.serial) end_ = source.origin.last() + 1;
  if (run.pulse && !failure) regions_.collect(run);
  if (failure) {
    machine_->line.abandon();
    // Nothing of a tuple that failed as a whole is known to precede the failure.
    if (!failure->after_good_rows) made.clear();
    const bool can_run_again = !failure->interrupted && !run.last && topology().stateless();
    if (options_.locate_row && can_run_again) locate_failure(topology(), source, *failure, made);
  }
  if (run.last) {
    // How far the input was pulled when nobody wanted it any more is nobody's business.
    outbox_.complete();
    if (failure && end_) failure->rows = {.first = *end_, .count = 0};
  }
  outbox_.put(std::move(made), run.ends_batch || failure);
  if (failure) failure_ = std::move(failure);
}

void ProcessingElement::give_back() noexcept {
  if (forked()) {
    leave_behind();
    return;
  }
  machine_->line.abandon();
  if (model_ != nullptr) aftermath_ = Aftermath::of(*model_);
  if (std::exchange(model_, nullptr) != nullptr) retire(machine_, options_);
  governor_.end();
  if (observer_ != nullptr) observer_->finish();
  input_.close();
  outbox_.clear();
}

// The copy of a flow in a forked process: its threads stayed in the other one, and with them any
// lock they held. It cannot be taken apart, so whatever they could reach is kept to the end.
void ProcessingElement::leave_behind() noexcept {
  if (std::exchange(model_, nullptr) == nullptr) return;
  static_cast<void>(new std::shared_ptr<Machine>(machine_));  // NOLINT(*-owning-memory,*-at-new)
}

}  // namespace penstock::engine
