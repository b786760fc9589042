#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "penstock/engine/completion.hpp"
#include "penstock/engine/emitted.hpp"
#include "penstock/engine/feedback.hpp"
#include "penstock/engine/flow_run.hpp"
#include "penstock/engine/operator_failure.hpp"
#include "penstock/engine/station.hpp"
#include "penstock/engine/worker_log.hpp"
#include "penstock/graph/divided_operator.hpp"
#include "penstock/graph/topology.hpp"
#include "penstock/schedule/line.hpp"
#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// The flow as a line of stations: its operators in topological order, and the sink. On a divided
// line a divided operator has several: one where a tuple is cut, some for its parts,
// and one where the parts are joined. Runs follow each other through the parts, so that different
// threads are at different parts at the same time.
//
// This fixes what "in order" means. For each source tuple the operators run one after another,
// and each takes what waits for it in the order in which it was emitted; whoever carries the runs,
// the result is that of one thread doing just that.
class FlowLine {
 public:
  using Run = FlowRun;

  struct Resizable {
    int node = 0;
    int width = 1;
    graph::ResizableOperator* body = nullptr;
    bool resized = false;
  };

  // The parts of a divided operator share so many stations at most; with one it is not divided.
  explicit FlowLine(const graph::Topology& topology, int shares = 1);

  [[nodiscard]] int stations() const noexcept { return static_cast<int>(stations_.size()); }
  // The first one of an operator, by its place in the topological order; the sink's behind them.
  [[nodiscard]] int first_station(int place) const noexcept {
    return first_stations_[static_cast<std::size_t>(place)];
  }
  [[nodiscard]] bool serial(int station) const;
  [[nodiscard]] bool in_lane(int station) const { return at(station).in_lane; }
  // A feedback edge: the operators it spans must be done with a run before the next one comes.
  [[nodiscard]] bool bound(int station) const;
  void work(int station, FlowRun& run) noexcept {
    while (!work_some(station, run)) continue;
  }
  // Until the operator is done with the run, or pauses; then false, and it is to be called again
  // before anything else is done with that run or at that station (C12).
  [[nodiscard]] bool work_some(int station, FlowRun& run) noexcept;

  // Empties `run` and puts a source tuple before the operators that read the input.
  void fill(FlowRun& run, tuple::Tuple tuple) const;
  // Empties `run` and makes it a pulse, before row `next` of the partition.
  void fill_pulse(FlowRun& run, FlowRun::Pulse pulse, std::int64_t next) const;
  // Empties `run` and makes it the last one, behind row `end` of the partition.
  void fill_last(FlowRun& run, std::int64_t end) const;

  // Operators whose parts in use may change, by their place in the topological order. The rows of
  // runs that are filled from now on are cut for that many parts.
  [[nodiscard]] std::span<const Resizable> resizables() const noexcept { return resizables_; }
  void set_width(int resizable, int width) noexcept {
    Resizable& here = resizables_[static_cast<std::size_t>(resizable)];
    here.resized = here.resized || here.width != width;
    here.width = width;
  }
  // Makes what stations have cost so far what is to be expected of them: the work of an operator
  // whose parts in use have changed is shared evenly by those that are in use now.
  void share_out(std::span<double> costs) const;

  // Every station in turn, on the calling thread: the `manual` threading model (S1).
  void work_through(FlowRun& run) noexcept {
    for (int station = 0; station < stations(); ++station) work(station, run);
  }

  // From now on what operators do is written to these logs, by the number of the worker. To be
  // called before anything runs.
  void watch(std::span<WorkerLog> logs) noexcept { logs_ = logs; }

  // The run since which nobody wants the input, if that is so; final for all runs that are through.
  [[nodiscard]] bool input_is_unwanted() const noexcept {
    return completion_.input_unwanted_since() != Completion::kNever;
  }
  [[nodiscard]] std::uint64_t input_unwanted_since() const noexcept {
    return completion_.input_unwanted_since();
  }

  // From now on no operator is run any more: what is under way is only carried to its end. Whoever
  // finds a run that was cut short also sees what the caller had written before.
  void abandon() noexcept { abandoned_.store(true, std::memory_order_release); }

  // Ends the whole flow for a reason that lies in none of its operators. From any thread.
  void fail(const std::exception_ptr& cause) noexcept {
    interrupt({.node = kNoOperator, .rows = {}, .cause = cause, .interrupted = true});
  }

  // Set once an operator was interrupted: that is for the whole flow, whatever runs are before it.
  [[nodiscard]] bool interrupted() const noexcept {
    return interrupted_.load(std::memory_order_acquire);
  }
  // Meaningful once interrupted().
  [[nodiscard]] const OperatorFailure& interruption() const noexcept { return interruption_; }

  [[nodiscard]] const graph::Topology& topology() const noexcept { return *topology_; }

 private:
  void add_stations(int place, int shares);
  [[nodiscard]] const Station& at(int station) const {
    return stations_[static_cast<std::size_t>(station)];
  }
  [[nodiscard]] bool has_nothing_to_do(const Station& here, const FlowRun& run) const;
  void empty(FlowRun& run) const;
  // The operator is not to be run on this run, or any other.
  [[nodiscard]] bool is_over(const Station& here, const FlowRun& run) const noexcept;
  void pass_by(const Station& here, FlowRun& run) noexcept;
  // Runs an operator on what waits for it; the rows it made.
  std::int64_t serve(const Station& here, FlowRun& run) noexcept;
  void serve_watched(const Station& here, FlowRun& run) noexcept;
  // Up to the end, a pause or completion; `delivery` is the one that is being worked on.
  void process_all(const Station& here, FlowRun& run, Emitted& emitted,
                   const FlowRun::Delivery*& delivery);
  // After the `index`-th of what waits: whether the operator pauses or has completed.
  [[nodiscard]] bool breaks_off(const Station& here, FlowRun& run, std::size_t index);
  void interrupt(const OperatorFailure& failure) noexcept;

  const graph::Topology* topology_;
  Completion completion_;
  Feedback feedback_;
  std::vector<Station> stations_;
  std::vector<int> first_stations_;  // by place, and the sink's
  std::vector<Resizable> resizables_;
  std::span<WorkerLog> logs_;  // none when nobody watches
  std::atomic<bool> abandoned_{false};
  std::atomic<bool> interrupting_{false};
  std::atomic<bool> interrupted_{false};
  OperatorFailure interruption_;  // written once, before interrupted_ is set
};

static_assert(schedule::RunnableLine<FlowLine>);

}  // namespace penstock::engine
