#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "penstock/engine/aftermath.hpp"
#include "penstock/engine/control_loop.hpp"
#include "penstock/engine/flow_metrics.hpp"
#include "penstock/engine/governor.hpp"
#include "penstock/engine/machine.hpp"
#include "penstock/engine/operator_failure.hpp"
#include "penstock/engine/options.hpp"
#include "penstock/engine/outbox.hpp"
#include "penstock/engine/regions.hpp"
#include "penstock/engine/states.hpp"
#include "penstock/engine/timed_mutex.hpp"
#include "penstock/engine/tuple_cutter.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/stream.hpp"

namespace penstock::engine {

// An operator failed; ProcessingElement::failure() tells which and why.
class FlowStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One flow running over one partition: batches in, batches out, in the order of the input.
//
// The thread that calls next() feeds the flow: it alone pulls the input, so Spark's iterator is
// never touched by another thread, and it alone takes the output, so a full flow cannot wait for
// somebody else to empty it. Whether other threads run operators is the threading model's affair.
class ProcessingElement final : public tuple::BatchSource {
 public:
  ProcessingElement(graph::Topology topology, std::unique_ptr<tuple::InputStream> input,
                    Options options);
  ProcessingElement(const ProcessingElement&) = delete;
  ProcessingElement& operator=(const ProcessingElement&) = delete;
  ProcessingElement(ProcessingElement&&) = delete;
  ProcessingElement& operator=(ProcessingElement&&) = delete;
  ~ProcessingElement() override;

  // Empty at the end of the input. Throws FlowStopped when an operator failed, after everything
  // that came before the failure was returned; what the input throws comes out as it is.
  [[nodiscard]] std::optional<tuple::Batch> next() override;

  // From any state and any thread, any number of times. Gives the input back and drops what was
  // not delivered. Operators that are running come to their end first; one that does not within
  // `patience` is left behind with its thread and all that it can reach.
  void close() noexcept;

  // From any thread: the flow ends as soon as its operators let it. Does not wait for that; close()
  // is still to be called.
  void stop() noexcept {
    closed_.store(true);
    machine_->line.abandon();
  }

  // From any thread: at most so many threads from now on, where the model can change them.
  void limit_threads(int most) { governor_.limit_threads(most); }

  // From any thread: so many channels for a region, as soon as it can be. Throws
  // std::invalid_argument for a region or a number that does not exist.
  void set_channels(const std::string& region, int channels) { regions_.ask_for(region, channels); }

  // What operators remember by key: before the first next(), and after it returned nothing. Throws
  // std::logic_error in between.
  [[nodiscard]] std::vector<OperatorState> states() const;
  // Before the first next(), as engine::restore().
  void restore(const std::string& name, const std::vector<tuple::Batch>& rows);

  // What the control loop decided so far, with its reasons. From any thread.
  [[nodiscard]] std::vector<Action> actions() const { return governor_.actions(); }

  // Empty unless the flow is observed. From any thread at any time.
  [[nodiscard]] std::optional<FlowMetrics> metrics() const;
  // Why the trace is not complete; empty when all is well. After close().
  [[nodiscard]] std::string trace_problem() const {
    return observer_ == nullptr ? "" : observer_->trace_problem();
  }

  // After close().
  [[nodiscard]] const Aftermath& aftermath() const noexcept { return aftermath_; }

  [[nodiscard]] const graph::Topology& topology() const noexcept { return machine_->topology; }
  // Meaningful once next() threw FlowStopped.
  [[nodiscard]] const std::optional<OperatorFailure>& failure() const noexcept { return failure_; }

 private:
  class Turn;

  void observe();
  [[nodiscard]] bool forked() const noexcept;
  void check_process() const;
  [[nodiscard]] bool inside() const noexcept;
  void start();
  [[nodiscard]] bool advance();
  void check_going_on() const;
  [[nodiscard]] bool admit();
  [[nodiscard]] bool admit_pulse();
  void pull();
  void help();
  void interrupt(OperatorFailure failure);
  void collect(FlowRun& run);
  void give_back() noexcept;
  void leave_behind() noexcept;

  std::shared_ptr<Machine> machine_;
  Observer* observer_ = nullptr;     // the machine's, if anybody watches
  ThreadingModel* model_ = nullptr;  // the machine's, from the first next() until close()
  const Options options_;
  Regions regions_;
  TupleCutter input_;
  Governor governor_;
  Aftermath aftermath_;
  bool last_run_sent_ = false;
  std::optional<std::int64_t> end_;  // the row before which nobody wanted the input any more
  bool ended_ = false;               // next() returned nothing
  std::chrono::nanoseconds last_check_{};
  Outbox outbox_;
  std::optional<OperatorFailure> failure_;

  TimedMutex running_;  // held while next() runs, so that close() can wait for it
  std::atomic<std::thread::id> runner_;
  std::atomic<bool> closed_{false};
  std::int64_t process_;
};

}  // namespace penstock::engine
