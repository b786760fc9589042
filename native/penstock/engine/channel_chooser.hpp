#pragma once

#include <chrono>

#include "penstock/elastic/plan_controller.hpp"

namespace penstock::engine {

// What the control loop asks how many channels the regions of a flow shall have.
class ChannelChooser {
 public:
  ChannelChooser() = default;
  ChannelChooser(const ChannelChooser&) = delete;
  ChannelChooser& operator=(const ChannelChooser&) = delete;
  ChannelChooser(ChannelChooser&&) = delete;
  ChannelChooser& operator=(ChannelChooser&&) = delete;
  virtual ~ChannelChooser() = default;

  // There is a region whose channels may change.
  [[nodiscard]] virtual bool any() const noexcept = 0;
  // There is nothing to find out at present; then the other levers are turned, and next_turn()
  // says that it will be another region's turn.
  [[nodiscard]] virtual bool settled() const noexcept = 0;
  virtual void next_turn() noexcept {}
  // What was decided has happened.
  [[nodiscard]] virtual bool in_effect() const = 0;

  // A period begins: what was waited for before it does not count.
  virtual void begin_period() = 0;
  // What was decided about one region, or about none; then it is on its way.
  virtual elastic::PlanStep decide(double throughput, std::chrono::nanoseconds took) = 0;
};

}  // namespace penstock::engine
