#pragma once

#include <chrono>

#include "penstock/elastic/plan_controller.hpp"

namespace penstock::engine {

// What the control loop asks how many threads there shall be. It is told what was measured, and
// turns nothing itself.
class ThreadChooser {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  ThreadChooser() = default;
  ThreadChooser(const ThreadChooser&) = delete;
  ThreadChooser& operator=(const ThreadChooser&) = delete;
  ThreadChooser(ThreadChooser&&) = delete;
  ThreadChooser& operator=(ThreadChooser&&) = delete;
  virtual ~ThreadChooser() = default;

  // A period under plan() begins: what was before it does not count.
  virtual void begin_period(Nanoseconds /*now*/) {}
  // It is over.
  virtual elastic::PlanStep update(double throughput, bool cpu_ok, Nanoseconds now) = 0;
  // Instead of update(), when the plan was not followed in that period.
  virtual elastic::PlanStep hold() = 0;

  // The step says whether the number of threads had to change.
  virtual elastic::PlanStep set_least_threads(int threads) = 0;
  virtual elastic::PlanStep set_most_threads(int threads) = 0;
  // Goes to so many at once, if they are allowed, to see what they bring.
  virtual elastic::PlanStep try_threads(int threads) = 0;

  [[nodiscard]] virtual elastic::Plan plan() const = 0;
  // There is nothing to find out at present, so another lever may be turned.
  [[nodiscard]] virtual bool settled() const = 0;
};

}  // namespace penstock::engine
