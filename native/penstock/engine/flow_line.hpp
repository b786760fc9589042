#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "penstock/engine/operator_failure.hpp"
#include "penstock/engine/run_log.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// One source tuple on its way through the flow, and everything the operators made of it so far.
struct FlowRun : schedule::Run {
  struct Delivery {
    int port = 0;
    tuple::Tuple tuple;
  };

  tuple::Tuple source;
  std::vector<std::vector<Delivery>> waiting;  // by operator: what was emitted to it
  std::vector<tuple::Batch> out;               // what reached the sink
  std::optional<OperatorFailure> failure;      // the first one; nothing was run after it
  RunLog* log = nullptr;                       // somebody else's; none when nobody watches
};

// The flow as a line of stations: its operators in topological order, and the sink.
//
// This fixes what "in order" means. For each source tuple the operators run one after another,
// and each takes what waits for it in the order in which it was emitted; whoever carries the runs,
// the result is that of one thread doing just that.
class FlowLine {
 public:
  using Run = FlowRun;

  explicit FlowLine(const graph::Topology& topology) : topology_(&topology) {}

  [[nodiscard]] int stations() const noexcept { return topology_->size() + 1; }
  [[nodiscard]] bool serial(int station) const;
  void work(int station, FlowRun& run) const noexcept;

  // Empties `run` and puts a source tuple before the operators that read the input.
  void fill(FlowRun& run, tuple::Tuple tuple) const;

  // Every station in turn, on the calling thread: the `manual` threading model (S1).
  void work_through(FlowRun& run) const noexcept {
    for (int station = 0; station < stations(); ++station) work(station, run);
  }

  // From now on no operator is run any more: what is under way is only carried to its end.
  void abandon() const noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  // Set once an operator was interrupted: that is for the whole flow, whatever runs are before it.
  [[nodiscard]] bool interrupted() const noexcept {
    return interrupted_.load(std::memory_order_acquire);
  }
  // Meaningful once interrupted().
  [[nodiscard]] const OperatorFailure& interruption() const noexcept { return interruption_; }

  [[nodiscard]] const graph::Topology& topology() const noexcept { return *topology_; }

 private:
  class Emitted;

  [[nodiscard]] int node_at(int station) const {
    return topology_->order()[static_cast<std::size_t>(station)];
  }
  // Runs an operator on what waits for it; the rows it made.
  std::int64_t serve(int index, FlowRun& run) const noexcept;
  void serve_watched(int index, FlowRun& run) const noexcept;
  static void deliver(const std::vector<graph::Target>& targets, const tuple::Tuple& tuple,
                      FlowRun& run);

  void interrupt(const OperatorFailure& failure) const noexcept;

  const graph::Topology* topology_;
  mutable std::atomic<bool> abandoned_{false};
  mutable std::atomic<bool> interrupting_{false};
  mutable std::atomic<bool> interrupted_{false};
  mutable OperatorFailure interruption_;  // written once, before interrupted_ is set
};

static_assert(schedule::RunnableLine<FlowLine>);

}  // namespace penstock::engine
