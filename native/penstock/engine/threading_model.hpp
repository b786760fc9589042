#pragma once

#include "penstock/engine/flow_line.hpp"
#include "penstock/schedule/crew.hpp"

namespace penstock::engine {

using schedule::ThreadHooks;

// Who carries the runs of a flow. One thread, the feeder, owns the model: it puts runs in, takes
// them out in the order in which it put them in, and lends a hand in between.
class ThreadingModel {
 public:
  ThreadingModel() = default;
  ThreadingModel(const ThreadingModel&) = delete;
  ThreadingModel& operator=(const ThreadingModel&) = delete;
  ThreadingModel(ThreadingModel&&) = delete;
  ThreadingModel& operator=(ThreadingModel&&) = delete;
  // Waits for the operators that are running. No thread is left afterwards.
  virtual ~ThreadingModel() = default;

  // An empty run to fill, or null while too many are under way.
  [[nodiscard]] virtual FlowRun* try_admit() = 0;
  // Sends a filled run on its way.
  virtual void start(FlowRun& run) = 0;
  // The oldest run under way, once it is through; the feeder's until the next try_admit().
  [[nodiscard]] virtual FlowRun* try_collect() = 0;
  // Runs that were started and not collected.
  [[nodiscard]] virtual bool under_way() const = 0;
  // Carries a run, or sleeps until there may be something to carry or to collect.
  virtual void help() = 0;
};

}  // namespace penstock::engine
