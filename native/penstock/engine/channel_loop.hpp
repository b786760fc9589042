#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "penstock/elastic/channel_controller.hpp"
#include "penstock/elastic/plan_controller.hpp"
#include "penstock/engine/channel_chooser.hpp"
#include "penstock/engine/levers.hpp"

namespace penstock::engine {

// Channels by what they bring: one region at a time (X4), as long as there is something to find out
// about it.
class ChannelLoop final : public ChannelChooser {
 public:
  // Regions begin with as many channels as there may be threads: with one channel a second thread
  // gains nothing, and with one thread no channel is ever waited for, so that neither would grow.
  explicit ChannelLoop(ChannelLevers* levers, int threads = 1);

  [[nodiscard]] bool any() const noexcept override { return !controllers_.empty(); }
  // Whose turn it is has found its channels.
  [[nodiscard]] bool settled() const noexcept override;
  void next_turn() noexcept override;
  [[nodiscard]] bool in_effect() const override { return levers_ == nullptr || levers_->settled(); }

  void begin_period() override;
  elastic::PlanStep decide(double throughput, std::chrono::nanoseconds took) override;

 private:
  struct Controlled {
    int region = 0;
    elastic::ChannelController controller;
  };

  [[nodiscard]] bool is_congested(int region, std::chrono::nanoseconds took);

  ChannelLevers* levers_;
  std::vector<Controlled> controllers_;  // of the regions with a choice
  std::size_t turn_ = 0;
};

}  // namespace penstock::engine
