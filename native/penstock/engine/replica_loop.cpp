#include "penstock/engine/replica_loop.hpp"

#include <algorithm>
#include <utility>

namespace penstock::engine {

ReplicaLoop::ReplicaLoop(ChannelLevers* levers) : levers_(levers) {
  for (int region = 0; region < regions(); ++region) {
    const auto range = levers->range(region);
    if (range.least == range.most) continue;
    any_ = true;
    controller_.set_range(levers->name(region), range);
    if (!levers->pinned(region)) levers->set_channels(region, range.least);
  }
}

void ReplicaLoop::begin_period() {
  for (int region = 0; any() && region < regions(); ++region) {
    static_cast<void>(levers_->take_waits(region));
  }
}

elastic::PlanStep ReplicaLoop::decide(double throughput, std::chrono::nanoseconds took) {
  const auto decision = controller_.update(candidates(took), throughput);
  set_channels(decision);
  return {.lever = elastic::Lever::kChannels,
          .previous = decision.previous,
          .chosen = decision.replicas,
          .reason = name(decision.reason),
          .text = to_text(decision)};
}

bool ReplicaLoop::may_change(int region) const {
  const auto range = levers_->range(region);
  return range.least != range.most && !levers_->pinned(region);
}

std::vector<elastic::Candidate> ReplicaLoop::candidates(std::chrono::nanoseconds took) {
  std::vector<elastic::Candidate> made;
  for (int region = 0; region < regions(); ++region) {
    const double input = blocked(region, took);
    if (!made.empty()) made.back().outputs = {input};
    made.push_back({.name = levers_->name(region),
                    .inputs = {input},
                    .outputs = {},
                    .replicable = may_change(region)});
  }
  return made;
}

// Runs queue up before the channel that is furthest behind, and the ones after it see them only as
// fast as it lets them pass: the worst channel tells, where the paper takes the mean.
double ReplicaLoop::blocked(int region, std::chrono::nanoseconds took) {
  const auto waits = levers_->take_waits(region);
  if (waits.empty() || took.count() <= 0) return 0;
  const auto longest = static_cast<double>(std::ranges::max(waits).count());
  // A wait that ends in this period may have begun before it.
  return std::clamp(longest / static_cast<double>(took.count()), 0.0, 1.0);
}

void ReplicaLoop::set_channels(const elastic::ReplicaDecision& decision) {
  if (decision.previous == decision.replicas) return;
  for (int region = 0; region < regions(); ++region) {
    if (levers_->name(region) == decision.name) levers_->set_channels(region, decision.replicas);
  }
}

}  // namespace penstock::engine
