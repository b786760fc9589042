#pragma once

#include "penstock/elastic/plan_controller.hpp"

namespace penstock::engine {

// What the control loop can see and turn of something that runs. The feeder's, like the loop.
class Levers {
 public:
  Levers() = default;
  Levers(const Levers&) = delete;
  Levers& operator=(const Levers&) = delete;
  Levers(Levers&&) = delete;
  Levers& operator=(Levers&&) = delete;
  virtual ~Levers() = default;

  // Asks for a plan; it takes effect as soon as it can. Without levers, nothing happens.
  virtual void adopt(elastic::Plan /*plan*/) {}
  // The plan asked for last.
  [[nodiscard]] virtual elastic::Plan plan() const { return {}; }
  // That plan is in effect.
  [[nodiscard]] virtual bool settled() const { return true; }

  // Threads that may be at work, the feeder included.
  [[nodiscard]] virtual int threads() const = 0;
  // As threads(), but so many that those which were told to leave and did not are among them (S25).
  [[nodiscard]] virtual int threads_with_late_ones() const { return threads(); }
};

}  // namespace penstock::engine
