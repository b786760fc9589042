#include "penstock/engine/processing_element.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unistd.h>
#include <utility>

#include "penstock/engine/conveyor_model.hpp"
#include "penstock/engine/dedicated_model.hpp"
#include "penstock/engine/dynamic_model.hpp"
#include "penstock/engine/failing_row.hpp"
#include "penstock/engine/manual_model.hpp"

namespace penstock::engine {

namespace {

// Runs under way for each thread: enough that a thread which must leave a run finds another.
constexpr std::size_t kRunsPerThread = 4;
// More operators than this are not busy at the same time, and each run costs memory.
constexpr std::size_t kMostDedicatedRuns = 256;

// The flow whose operators the current thread may be running, if it is a worker of one.
thread_local const ProcessingElement* worker_of = nullptr;  // NOLINT(*-non-const-global-variables)

}  // namespace

// The right to run the flow, for the length of one next().
class ProcessingElement::Turn {
 public:
  explicit Turn(ProcessingElement& element) : element_(&element), lock_(element.running_) {
    element_->runner_.store(std::this_thread::get_id());
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  Turn(Turn&&) = delete;
  Turn& operator=(Turn&&) = delete;
  ~Turn() {
    element_->runner_.store(std::thread::id());
    // Closed by an operator of ours meanwhile, which could not wait for itself.
    if (element_->closed_.load()) element_->give_back();
  }

 private:
  ProcessingElement* element_;
  std::scoped_lock<std::mutex> lock_;
};

ProcessingElement::ProcessingElement(graph::Topology topology,
                                     std::unique_ptr<tuple::InputStream> input, Options options)
    : topology_(std::move(topology)),
      input_(std::move(input)),
      options_(std::move(options)),
      line_(topology_),
      process_(getpid()) {
  if (options_.rows_per_tuple < 0) {
    throw std::invalid_argument("rows_per_tuple must be 0 or more, got " +
                                std::to_string(options_.rows_per_tuple));
  }
  if (options_.threads < 1) {
    throw std::invalid_argument("threads must be 1 or more, got " +
                                std::to_string(options_.threads));
  }
  if (options_.queue_capacity < 1) {
    throw std::invalid_argument("queue_capacity must be 1 or more, got " +
                                std::to_string(options_.queue_capacity));
  }
}

ProcessingElement::~ProcessingElement() { close(); }

std::optional<tuple::Batch> ProcessingElement::next() {
  check_process();
  if (inside()) {
    throw std::logic_error("an operator of flow '" + topology_.name() +
                           "' asks the flow that is running it for rows");
  }
  const Turn turn(*this);
  while (outbox_.empty()) {
    if (closed_.load()) {
      throw std::runtime_error("flow '" + topology_.name() + "' was closed before its input ended");
    }
    if (failure_) {
      throw FlowStopped("operator '" + topology_.node(failure_->node).name + "' of flow '" +
                        topology_.name() + "' failed");
    }
    if (!advance()) return std::nullopt;
  }
  tuple::Batch batch = std::move(outbox_.front());
  outbox_.pop_front();
  return batch;
}

void ProcessingElement::close() noexcept {
  closed_.store(true);
  line_.abandon();
  if (inside()) return;  // waiting for oneself would be for ever; the turn ends by giving back
  const std::scoped_lock lock(running_);
  give_back();
}

bool ProcessingElement::inside() const noexcept {
  return worker_of == this || runner_.load() == std::this_thread::get_id();
}

void ProcessingElement::check_process() const {
  if (getpid() == process_) return;
  throw std::runtime_error(
      "flow '" + topology_.name() + "' was started by process " + std::to_string(process_) +
      " and cannot go on in process " + std::to_string(getpid()) +
      ": a fork copies none of its state safely; start the flow after forking");
}

// Called when the first rows are asked for, because no thread must exist before: a flow may be
// set up in one process and run in another.
std::unique_ptr<ThreadingModel> ProcessingElement::make_model() {
  if (options_.threading == Threading::kManual) return std::make_unique<ManualModel>(line_);
  const ThreadHooks hooks{.on_start =
                              [this] {
                                worker_of = this;
                                if (options_.hooks.on_start) options_.hooks.on_start();
                              },
                          .on_finish = options_.hooks.on_finish};
  const auto capacity = static_cast<std::size_t>(options_.queue_capacity);
  if (options_.threading == Threading::kDedicated) {
    const auto window = kRunsPerThread * static_cast<std::size_t>(line_.stations());
    return std::make_unique<DedicatedModel>(line_, std::min(window, kMostDedicatedRuns), capacity,
                                            hooks);
  }
  const auto window = kRunsPerThread * static_cast<std::size_t>(options_.threads);
  if (options_.threading == Threading::kDynamic) {
    return std::make_unique<DynamicModel>(line_, options_.threads, std::max(window, capacity),
                                          capacity, hooks);
  }
  return std::make_unique<ConveyorModel>(line_, options_.threads, window, hooks);
}

// One step towards the next output; false when there is none to come.
bool ProcessingElement::advance() {
  if (!model_) model_ = make_model();
  if (FlowRun* const done = model_->try_collect()) {
    collect(*done);
    return true;
  }
  if (pending_.rows() == 0 && !input_ended_) pull();
  if (pending_.rows() > 0) {
    if (FlowRun* const run = model_->try_admit()) {
      line_.fill(*run, cut());
      model_->start(*run);
      return true;
    }
  }
  if (input_ended_ && !model_->under_way()) {
    if (input_error_) std::rethrow_exception(input_error_);
    return false;
  }
  if (pending_.rows() > 0 || input_ended_) model_->help();
  return true;
}

void ProcessingElement::pull() {
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
  auto made = std::exchange(run.out, {});
  const auto source = std::exchange(run.source, {});
  auto failure = std::exchange(run.failure, std::nullopt);
  if (failure) {
    line_.abandon();
    // Nothing of a tuple that failed as a whole is known to precede the failure.
    made.clear();
    if (options_.locate_row && !failure->interrupted && topology_.stateless()) {
      if (auto found = find_failing_row(topology_, source)) {
        failure = std::move(found->failure);
        made = std::move(found->before);
      }
    }
  }
  std::ranges::move(made, std::back_inserter(outbox_));
  failure_ = std::move(failure);
}

void ProcessingElement::give_back() noexcept {
  line_.abandon();
  model_.reset();
  if (input_) input_->close();
  pending_ = tuple::Batch();
  outbox_.clear();
}

}  // namespace penstock::engine
