#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/stream.hpp"

namespace penstock::engine {

enum class Threading { kManual, kDedicated, kDynamic, kConveyor };

struct Options {
  std::int64_t rows_per_tuple = 0;  // 0: a tuple is a whole batch
  bool locate_row = true;           // find the exact row after a stateless graph failed
  Threading threading = Threading::kManual;
  // That may run operators at the same time, the caller of next() included. Manual needs no other
  // thread, and dedicated has one for each operator.
  int threads = 1;
  int queue_capacity = 16;  // tuples that may wait before an operator, where there are queues
  ThreadHooks hooks;
};

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
  // not delivered; waits for an operator that another thread is running.
  void close() noexcept;

  [[nodiscard]] const graph::Topology& topology() const noexcept { return topology_; }
  // Meaningful once next() threw FlowStopped.
  [[nodiscard]] const std::optional<OperatorFailure>& failure() const noexcept { return failure_; }

 private:
  class Turn;

  void check_process() const;
  [[nodiscard]] bool inside() const noexcept;
  [[nodiscard]] std::unique_ptr<ThreadingModel> make_model();
  void pull();
  [[nodiscard]] tuple::Tuple cut();
  [[nodiscard]] bool advance();
  void collect(FlowRun& run);
  void give_back() noexcept;

  graph::Topology topology_;
  std::unique_ptr<tuple::InputStream> input_;
  Options options_;
  FlowLine line_;
  std::unique_ptr<ThreadingModel> model_;

  bool input_ended_ = false;
  std::exception_ptr input_error_;  // how it ended, unless well
  tuple::Batch pending_;            // rows that came in and were not yet cut into tuples
  std::int64_t next_row_ = 0;       // of the partition: the first row of `pending_`
  std::deque<tuple::Batch> outbox_;
  std::optional<OperatorFailure> failure_;

  std::mutex running_;  // held while next() runs, so that close() can wait for it
  std::atomic<std::thread::id> runner_;
  std::atomic<bool> closed_{false};
  std::int64_t process_;
};

}  // namespace penstock::engine
