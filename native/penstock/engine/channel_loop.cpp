#include "penstock/engine/channel_loop.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/elastic/congestion.hpp"

namespace penstock::engine {

ChannelLoop::ChannelLoop(ChannelLevers* levers, int threads) : levers_(levers) {
  for (int region = 0; levers != nullptr && region < levers->size(); ++region) {
    const auto range = levers->range(region);
    if (range.least == range.most) continue;
    const int first = std::clamp(threads, range.least, range.most);
    elastic::ChannelController controller({.range = {.least = first, .most = range.most}});
    controller.set_least(range.least);
    if (first > range.least) levers->set_channels(region, controller.channels());
    controllers_.push_back({.region = region, .controller = std::move(controller)});
  }
}

bool ChannelLoop::settled() const noexcept {
  return controllers_.empty() || levers_->pinned(controllers_[turn_].region) ||
         controllers_[turn_].controller.settled();
}

void ChannelLoop::next_turn() noexcept {
  if (any()) turn_ = (turn_ + 1) % controllers_.size();
}

void ChannelLoop::begin_period() {
  if (any()) static_cast<void>(levers_->take_waits(controllers_[turn_].region));
}

elastic::PlanStep ChannelLoop::decide(double throughput, std::chrono::nanoseconds took) {
  auto& [region, controller] = controllers_[turn_];
  const auto decision = controller.update(throughput, is_congested(region, took));
  if (!levers_->pinned(region)) levers_->set_channels(region, decision.channels);
  return {.lever = elastic::Lever::kChannels,
          .previous = decision.previous,
          .chosen = decision.channels,
          .reason = name(decision.reason),
          .text = "region '" + levers_->name(region) + "': " + to_text(decision)};
}

// Runs queue up before the channel that is furthest behind, and the ones after it see them only as
// fast as it lets them pass: the worst channel tells.
bool ChannelLoop::is_congested(int region, std::chrono::nanoseconds took) {
  const auto waits = levers_->take_waits(region);
  if (waits.empty() || took.count() <= 0) return false;
  const auto longest = std::ranges::max(waits);
  return elastic::congested(static_cast<double>(longest.count()) /
                            static_cast<double>(took.count()));
}

}  // namespace penstock::engine
