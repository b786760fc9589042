#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "penstock/elastic/replica_controller.hpp"
#include "penstock/engine/channel_chooser.hpp"
#include "penstock/engine/levers.hpp"

namespace penstock::engine {

// Channels as C-Stream chooses replicas (Sahin & Gedik 2018, §4.2.2): regions begin with the fewest
// and the one that is the bottleneck gets one more.
//
// The input of a region is blocked while runs wait before its busiest channel, and its output while
// the input of the next region is: all regions are on one line, which every run passes. Nothing
// else can block an output, since it is the window of runs that holds back a flow that is too full,
// and that is felt at the source: a slow plain operator behind a region does not show here.
class ReplicaLoop final : public ChannelChooser {
 public:
  explicit ReplicaLoop(ChannelLevers* levers);

  [[nodiscard]] bool any() const noexcept override { return any_; }
  [[nodiscard]] bool settled() const noexcept override { return controller_.settled(); }
  [[nodiscard]] bool in_effect() const override { return levers_ == nullptr || levers_->settled(); }
  void begin_period() override;
  elastic::PlanStep decide(double throughput, std::chrono::nanoseconds took) override;

 private:
  [[nodiscard]] int regions() const { return levers_ == nullptr ? 0 : levers_->size(); }
  [[nodiscard]] bool may_change(int region) const;
  [[nodiscard]] std::vector<elastic::Candidate> candidates(std::chrono::nanoseconds took);
  [[nodiscard]] double blocked(int region, std::chrono::nanoseconds took);
  void set_channels(const elastic::ReplicaDecision& decision);

  ChannelLevers* levers_;
  elastic::ReplicaController controller_{{}};
  bool any_ = false;
};

}  // namespace penstock::engine
