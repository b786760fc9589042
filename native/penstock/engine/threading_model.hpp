#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/levers.hpp"
#include "penstock/schedule/crew.hpp"

namespace penstock::engine {

using schedule::ThreadHooks;

// Who carries the runs of a flow. One thread, the feeder, owns the model: it puts runs in, takes
// them out in the order in which it put them in, and lends a hand in between. Destroying it waits
// for the operators that are running; no thread is left afterwards.
class ThreadingModel : public Levers {
 public:
  // An empty run to fill, or null while too many are under way.
  [[nodiscard]] virtual FlowRun* try_admit() = 0;
  // Sends a filled run on its way. With `more` to come at once others may be told of it later, with
  // the next ones or by tell_others().
  virtual void start(FlowRun& run, bool more) = 0;
  virtual void tell_others() {}
  // The oldest run under way, once it is through; the feeder's until the next try_admit().
  [[nodiscard]] virtual FlowRun* try_collect() = 0;
  // Runs that were started and not collected.
  [[nodiscard]] virtual bool under_way() const = 0;
  // Runs that wait before a station; stale before it returns, and 0 where there is no queue.
  [[nodiscard]] virtual std::size_t waiting_hint(int /*station*/) const { return 0; }
  // How often the policy named nobody who could work, and one who could was taken all the same.
  [[nodiscard]] virtual std::uint64_t overruled() const { return 0; }
  // Why the system gave fewer threads than were asked for; empty when it did not.
  [[nodiscard]] virtual std::string refusal() const { return {}; }
  // Carries a run, or sleeps until there may be something to carry or to collect, or for `limit`.
  virtual void help(std::chrono::nanoseconds limit) = 0;

  // Asks every thread but the feeder to end after what it is at, and does not wait for it.
  virtual void dismiss() noexcept {}
  // Threads but the feeder that are inside an operator.
  [[nodiscard]] virtual int at_work() const noexcept { return 0; }
};

}  // namespace penstock::engine
