#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "penstock/base/tally.hpp"
#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/flow_metrics.hpp"
#include "penstock/engine/pace.hpp"
#include "penstock/engine/threading_model.hpp"
#include "penstock/engine/trace.hpp"
#include "penstock/engine/worker_log.hpp"
#include "penstock/schedule/worker_meter.hpp"

namespace penstock::engine {

// Watches a flow run: gives each worker a log and a meter, and writes the trace. A flow that nobody
// watches has none, and pays a branch for each operator.
//
// The feeder's, but for metrics(), which any thread may ask for at any time.
class Observer {
 public:
  struct Options {
    int workers = 1;    // that there can be, the feeder included
    std::string trace;  // the file to write; none when empty
  };

  // Throws TraceError. The line must outlive it.
  Observer(const FlowLine& line, const Options& options);

  [[nodiscard]] std::span<schedule::WorkerMeter<>> meters() noexcept { return meters_; }
  [[nodiscard]] std::span<WorkerLog> logs() noexcept { return logs_; }
  [[nodiscard]] bool has_room_for(int worker) const noexcept {
    return static_cast<std::size_t>(worker) < logs_.size();
  }
  [[nodiscard]] schedule::WorkerMeter<>& feeder() noexcept { return meters_.front(); }

  // The feeder comes into the flow and leaves it again.
  void enter();
  void leave() noexcept;

  // So many threads may be at work now, the feeder included; to be called often.
  void level_is(int level) {
    if (level != level_) level_changed(level);
  }

  // A run will be started; a run is through.
  void admitted(const FlowRun& run);
  void collected(const FlowRun& run, const ThreadingModel& model);
  // So many more rows of input are through.
  void came_through(std::int64_t rows);

  // Nothing runs any more.
  void finish() noexcept;

  [[nodiscard]] FlowMetrics metrics() const;
  [[nodiscard]] std::string trace_problem() const { return trace_ ? trace_->problem() : ""; }

 private:
  struct Waiting {
    base::Tally<> sum;
    base::Tally<> most;
  };

  [[nodiscard]] std::chrono::nanoseconds feeder_time() const noexcept;
  void level_changed(int level);
  [[nodiscard]] OperatorMetrics operator_metrics(int node) const;
  void look_at_queues(const ThreadingModel& model);
  void trace_visits(const FlowRun& run);
  [[nodiscard]] std::int64_t since_start(std::int64_t ns) const noexcept;

  const FlowLine* line_;
  const graph::Topology* topology_;
  std::vector<schedule::WorkerMeter<>> meters_;  // by worker
  std::vector<WorkerLog> logs_;                  // by worker
  std::optional<Trace> trace_;
  int level_ = 0;
  bool young_ = true;     // a flow that has not run for long is measured with the better clock
  int outer_number_ = 0;  // the feeder's, in the flow whose operator asks this one for rows

  base::Tally<> started_ns_;   // 0: not yet
  base::Tally<> finished_ns_;  // 0: not yet
  base::Tally<> admitted_;
  base::Tally<> collected_;
  base::Tally<> under_way_sum_;
  base::Tally<> under_way_most_;
  base::Tally<> looks_;           // at the queues
  std::vector<Waiting> waiting_;  // by place of an operator, and of the sink

  base::Tally<> rows_;  // of input that came through

  mutable std::mutex changing_;  // the level, and the pace
  std::vector<LevelChange> levels_;
  Pace pace_;
};

}  // namespace penstock::engine
