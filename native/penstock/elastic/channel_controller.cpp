#include "penstock/elastic/channel_controller.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "penstock/elastic/throughput.hpp"

namespace penstock::elastic {

namespace {

ChannelSensitivity checked_sensitivity(double sensitivity, double margin) {
  if (!(sensitivity >= 0 && sensitivity <= 1)) {
    throw std::invalid_argument("sensitivity is " + std::to_string(sensitivity) +
                                "; it must be 0 to 1, where 1 reacts to the smallest changes");
  }
  if (!(margin >= 0 && margin < 1)) {
    throw std::invalid_argument(
        "margin is " + std::to_string(margin) +
        "; it must be 0 or more and below 1, such as 0.05 for five percent");
  }
  return {.step = 0.1 + ((1.0 - sensitivity) * 0.9), .margin = margin};
}

int checked_age(int age) {
  if (age >= 0) return age;
  throw std::invalid_argument("age is " + std::to_string(age) +
                              "; it must be a number of periods, or 0 to forget nothing");
}

}  // namespace

ChannelController::ChannelController(ChannelControllerOptions options)
    : memory_(ChannelSeries(options.range, options.scaling)),
      sensitivity_(checked_sensitivity(options.sensitivity, options.margin)),
      age_(checked_age(options.age)) {}

// Algorithm 2.
ChannelDecision ChannelController::update(double throughput, bool congested) {
  check_throughput(throughput);
  for (auto past = decisions_.rbegin(); past != decisions_.rend() && !past->after; ++past) {
    past->after = throughput;
  }
  const Load load = adapt_to_load(throughput, congested);
  memory_.record(level_, throughput, congested);
  const Step step = next_step(congested);
  const int previous = channels();
  settled_ = step.level == level_;
  if (!settled_) memory_.enter(step.level);
  level_ = step.level;
  const double other = memory_.at(step.compared_with).last;
  return decide({.previous = previous,
                 .channels = channels(),
                 .reason = step.reason,
                 .less_load = load.less,
                 .more_load = load.more,
                 .before = throughput,
                 .other_channels = memory_.channels(step.compared_with),
                 .other_throughput = std::isfinite(other) ? other : 0});
}

ChannelDecision ChannelController::hold() {
  return decide({.previous = channels(), .channels = channels(), .reason = ChannelReason::kHeld});
}

void ChannelController::set_least(int channels) {
  set_range({.least = channels, .most = std::max(channels, range().most)});
}

void ChannelController::set_most(int channels) {
  set_range({.least = std::min(channels, range().least), .most = channels});
}

// P3 and P4: congestion and throughput adapt.
ChannelController::Load ChannelController::adapt_to_load(double throughput, bool congested) {
  const ChannelLoad by_congestion = load_by_congestion(memory_, level_, congested);
  const ChannelLoad by_throughput = load_by_throughput(memory_, level_, throughput, sensitivity_);
  const auto either = [&](ChannelLoad load) {
    return by_congestion == load || by_throughput == load;
  };
  const Load load{.less = either(ChannelLoad::kLess), .more = either(ChannelLoad::kMore)};
  if (load.less) memory_.forget_up_to(level_);
  if (load.more) memory_.forget_from(level_);
  return load;
}

ChannelController::Step ChannelController::next_step(bool congested) const {
  const Step down{
      .level = level_ - 1, .reason = ChannelReason::kRemoteCongestion, .compared_with = level_ - 1};
  if (congestion_is_remote()) return down;
  // A16: as printed the contraction belongs to a congested region that cannot expand.
  if (!congested) return contract();
  const Step up = expand();
  // The paper asks only once whether channels helped, and luck in that period keeps them for good.
  const bool asks_again = up.level == level_ && sensitivity_.margin > 0;
  return asks_again && is_no_better_than_below() ? down : up;
}

// P5: channels were added, the congestion is still there, and throughput did not rise.
bool ChannelController::congestion_is_remote() const {
  const bool just_came_up = memory_.at(level_ - 1).period == memory_.at(level_).period - 1;
  return just_came_up && is_no_better_than_below();
}

bool ChannelController::is_no_better_than_below() const {
  const ChannelRecord& here = memory_.at(level_);
  const ChannelRecord& below = memory_.at(level_ - 1);
  if (!below.congested || !here.congested || std::isinf(below.last)) return false;
  const double margin = sensitivity_.margin_above(memory_.series(), level_ - 1);
  return here.last <= below.last * (1 + margin);
}

// P1: up, unless that is known to yield no more.
ChannelController::Step ChannelController::expand() const {
  const int above = level_ + 1;
  const auto step = [&](int level, ChannelReason reason) {
    return Step{.level = level, .reason = reason, .compared_with = above};
  };
  if (above >= memory_.series().levels()) return step(level_, ChannelReason::kMostChannels);
  const double known = memory_.at(above).last;
  if (std::isinf(known)) return step(above, ChannelReason::kCongested);
  const double margin = sensitivity_.margin_above(memory_.series(), level_);
  const double here = memory_.at(level_).last;
  // The paper goes up for as much as here, and so back and forth for ever without noise (A18).
  const bool better = margin > 0 ? known > here * (1 + margin) : known >= here;
  if (better) return step(above, ChannelReason::kBetterAbove);
  if (is_outdated(above)) return step(above, ChannelReason::kMeasureAgain);
  return step(level_, ChannelReason::kNoGainAbove);
}

// P2: down, unless that is known to be congested.
ChannelController::Step ChannelController::contract() const {
  const int below = level_ - 1;
  if (below < 0) {
    return {.level = level_, .reason = ChannelReason::kLeastChannels, .compared_with = level_};
  }
  if (memory_.at(below).congested) {
    return {.level = level_, .reason = ChannelReason::kCongestedBelow, .compared_with = below};
  }
  return {.level = below, .reason = ChannelReason::kNotCongested, .compared_with = below};
}

// A18: a bottleneck elsewhere may have gone, and that shows only at the level above.
bool ChannelController::is_outdated(int level) const {
  return age_ > 0 && memory_.at(level_).period - memory_.at(level).period >= age_;
}

void ChannelController::set_range(ChannelRange range) {
  const int previous = channels();
  memory_.set_series(ChannelSeries(range, memory_.series().scaling()));
  level_ = memory_.series().level_of(previous);
  settled_ = false;
  if (channels() == previous) return;
  memory_.enter(level_);
  decide({.previous = previous, .channels = channels(), .reason = ChannelReason::kLimitsChanged});
}

const ChannelDecision& ChannelController::decide(const ChannelDecision& decision) {
  if (decisions_.size() == kDecisionsKept) decisions_.pop_front();
  decisions_.push_back(decision);
  decisions_.back().period = time_++;
  return decisions_.back();
}

}  // namespace penstock::elastic
