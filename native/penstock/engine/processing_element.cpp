#include "penstock/engine/processing_element.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unistd.h>
#include <utility>

#include "penstock/engine/failing_row.hpp"

namespace penstock::engine {

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
  std::lock_guard<std::mutex> lock_;
};

ProcessingElement::ProcessingElement(graph::Topology topology,
                                     std::unique_ptr<tuple::InputStream> input, Options options)
    : topology_(std::move(topology)),
      input_(std::move(input)),
      options_(options),
      model_(topology_),
      process_(getpid()) {
  if (options_.rows_per_tuple < 0) {
    throw std::invalid_argument("rows_per_tuple must be 0 or more, got " +
                                std::to_string(options_.rows_per_tuple));
  }
}

ProcessingElement::~ProcessingElement() { close(); }

std::optional<tuple::Batch> ProcessingElement::next() {
  check_process();
  if (runner_.load() == std::this_thread::get_id()) {
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
    if (pending_.rows() == 0 && !pull()) return std::nullopt;
    if (pending_.rows() > 0) run(cut());
  }
  tuple::Batch batch = std::move(outbox_.front());
  outbox_.pop_front();
  return batch;
}

void ProcessingElement::close() noexcept {
  closed_.store(true);
  if (runner_.load() == std::this_thread::get_id()) return;  // the turn ends by giving back
  const std::lock_guard lock(running_);
  give_back();
}

void ProcessingElement::check_process() const {
  if (getpid() == process_) return;
  throw std::runtime_error(
      "flow '" + topology_.name() + "' was started by process " + std::to_string(process_) +
      " and cannot go on in process " + std::to_string(getpid()) +
      ": a fork copies none of its state safely; start the flow after forking");
}

bool ProcessingElement::pull() {
  auto batch = input_->next();
  if (!batch) return false;
  pending_ = std::move(*batch);
  return true;
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

void ProcessingElement::run(const tuple::Tuple& tuple) {
  std::vector<tuple::Batch> made;
  auto failure = model_.run(tuple, made);
  if (failure) {
    // Nothing of a tuple that failed as a whole is known to precede the failure.
    made.clear();
    if (options_.locate_row && !failure->interrupted && topology_.stateless()) {
      if (auto found = find_failing_row(model_, tuple)) {
        failure = std::move(found->failure);
        made = std::move(found->before);
      }
    }
  }
  std::ranges::move(made, std::back_inserter(outbox_));
  failure_ = std::move(failure);
}

void ProcessingElement::give_back() noexcept {
  if (input_) input_->close();
  pending_ = tuple::Batch();
  outbox_.clear();
}

}  // namespace penstock::engine
