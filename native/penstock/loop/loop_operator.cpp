#include "penstock/loop/loop_operator.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "penstock/graph/row_failure.hpp"

namespace penstock::loop {

namespace {

std::vector<std::vector<int>> columns_of(const LoopOperator::Options& options) {
  std::vector<std::vector<int>> columns;
  if (!options.tagged_input) return columns;
  for (const auto& input : options.inputs) {
    auto& chosen = columns.emplace_back(input.columns);
    if (!chosen.empty()) continue;
    chosen.resize(static_cast<std::size_t>(input.schema.arrow().n_children));
    std::iota(chosen.begin(), chosen.end(), 1);
  }
  return columns;
}

Ports::Setup setup_of(LoopOperator::Options options) {
  Ports::Setup setup{.loop = std::move(options.name),
                     .inputs = {},
                     .controls = static_cast<int>(options.controls.size()),
                     .outputs = options.outputs,
                     .tagged = options.tagged_output,
                     .room = options.room,
                     .quantum = std::move(options.quantum),
                     .stop = std::move(options.stop)};
  for (const auto* ports : {&options.inputs, &options.controls}) {
    for (const auto& port : *ports) setup.inputs.emplace_back(setup.loop, port.name, port.schema);
  }
  if (setup.room.rows < 1) {
    throw std::invalid_argument("loop '" + setup.loop + "' has a capacity of " +
                                std::to_string(setup.room.rows) + " rows, but 1 is the least");
  }
  return setup;
}

// What a loop pushes is made of the row with which it went on.
class AtRow final : public graph::Output {
 public:
  AtRow(graph::Output& output, const std::int64_t& row) noexcept : output_(&output), row_(&row) {}

  void emit(tuple::Batch batch, int port) override {
    const std::vector<std::int32_t> rows(static_cast<std::size_t>(batch.rows()),
                                         static_cast<std::int32_t>(*row_));
    output_->emit_rows(std::move(batch), rows, port);
  }
  void punctuate(int port) override { output_->punctuate(port); }
  [[nodiscard]] int ports() const override { return output_->ports(); }

 private:
  graph::Output* output_;
  const std::int64_t* row_;
};

}  // namespace

LoopOperator::LoopOperator(Options options, Body body)
    : tagged_input_(options.tagged_input),
      tells_rows_(options.tells_rows),
      wake_(options.wake),
      arrivals_(options.name, columns_of(options)),
      ports_(setup_of(std::move(options))),
      body_(std::move(body)),
      loop_(body_(ports_)) {}

int LoopOperator::inputs() const noexcept {
  return tagged_input_ ? 1 + controls() : ports_.inputs();
}

int LoopOperator::outputs() const noexcept { return ports_.setup().tagged ? 1 : ports_.outputs(); }

void LoopOperator::process(const tuple::Tuple& tuple, int port, graph::Output& output) {
  if (loop_.ended()) return;
  row_ = 0;
  arrivals_.set(tuple.batch, port);
  go_on(output);
}

void LoopOperator::control(const tuple::Tuple& tuple, int port) {
  if (loop_.ended()) return;
  const int in = tagged_input_ ? ports_.inputs() - controls() + port - 1 : port;
  ports_.in(in).arrive(tuple.batch);
  if (ports_.overfull() == in) throw std::runtime_error(ports_.describe_overfull(in));
}

void LoopOperator::finish(graph::Output& output) {
  finishing_ = true;
  ports_.close();
  if (!loop_.ended()) go_on(output);
}

void LoopOperator::resume(graph::Output& output) { go_on(output); }

void LoopOperator::go_on(graph::Output& output) {
  if (tells_rows_ && !finishing_) {
    AtRow traced(output, row_);
    go_on_into(traced);
  } else {
    go_on_into(output);
  }
}

void LoopOperator::go_on_into(graph::Output& output) {
  ports_.begin(output);
  try {
    while (step()) {
    }
  } catch (const graph::Interrupted&) {
    throw;
  } catch (const graph::FailedAtRow&) {
    throw;
  } catch (...) {
    fail(std::current_exception());
  }
}

// False when there is nothing to do until somebody calls again.
bool LoopOperator::step() {
  if (ports_.state() == Ports::State::kWaiting && !ports_.answered()) {
    if (arrivals_.empty()) return false;
    deliver();
    return true;
  }
  ports_.go_on();
  loop_.resume();
  if (loop_.ended()) {
    arrivals_.clear();
    completed_ = !finishing_;
    return false;
  }
  if (ports_.state() == Ports::State::kGoesRound) {
    throw std::runtime_error("loop '" + ports_.setup().loop + "' was told " +
                             std::to_string(Ports::kMostOvers) +
                             " times that its wait is over, and does nothing but wait again: end "
                             "the loop when a wait is over");
  }
  check_room();
  return ports_.state() != Ports::State::kPaused;
}

void LoopOperator::deliver() {
  constexpr auto kAll = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = row_ = arrivals_.next_row();
  const int port = arrivals_.next_port();
  if (arrivals_.closes()) {
    arrivals_.skip();
    ports_.in(port).close();
    return;
  }
  const std::int64_t wanted = wake_ == Wake::kRow ? ports_.rows_until_done(port) : kNotByThis;
  tuple::Batch rows = arrivals_.take(wanted == kNotByThis ? kAll : wanted);
  const std::int64_t end = first + rows.rows();
  row_ = end - 1;
  ports_.in(port).arrive(std::move(rows));
  if (ports_.answered() || ports_.overfull() != port) return;
  row_ = std::max(first, end - (ports_.in(port).rows() - ports_.setup().room.rows));
  throw std::runtime_error(ports_.describe_overfull(port));
}

// A loop may leave rows where they are and wait for others.
void LoopOperator::check_room() const {
  if (ports_.state() != Ports::State::kWaiting) return;
  const int port = ports_.overfull();
  if (port != Need::kNoPort) throw std::runtime_error(ports_.describe_overfull(port));
}

void LoopOperator::fail(std::exception_ptr cause) const {
  // What it does at the end it does because of no row.
  if (finishing_) std::rethrow_exception(std::move(cause));
  throw graph::FailedAtRow(row_, std::move(cause));
}

}  // namespace penstock::loop
