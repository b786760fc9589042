#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "penstock/engine/manual_model.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/tuple/stream.hpp"

namespace penstock::engine {

struct Options {
  std::int64_t rows_per_tuple = 0;  // 0: a tuple is a whole batch
  bool locate_row = true;           // find the exact row after a stateless graph failed
};

// An operator failed; ProcessingElement::failure() tells which and why.
class FlowStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One flow running over one partition: batches in, batches out, in the order of the input.
//
// Everything happens inside next(), on the thread that calls it, so Spark's iterator behind the
// input is never touched by another thread and nothing runs while nobody asks.
class ProcessingElement final : public tuple::BatchSource {
 public:
  ProcessingElement(graph::Topology topology, std::unique_ptr<tuple::InputStream> input,
                    Options options);
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
  [[nodiscard]] bool pull();
  [[nodiscard]] tuple::Tuple cut();
  void run(const tuple::Tuple& tuple);
  void give_back() noexcept;

  graph::Topology topology_;
  std::unique_ptr<tuple::InputStream> input_;
  Options options_;
  ManualModel model_;

  tuple::Batch pending_;       // rows that came in and were not yet cut into tuples
  std::int64_t next_row_ = 0;  // of the partition: the first row of `pending_`
  std::deque<tuple::Batch> outbox_;
  std::optional<OperatorFailure> failure_;

  std::mutex running_;  // held while next() runs, so that close() can wait for it
  std::atomic<std::thread::id> runner_;
  std::atomic<bool> closed_{false};
  std::int64_t process_;
};

}  // namespace penstock::engine
