#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "penstock/elastic/channel_decision.hpp"
#include "penstock/elastic/channel_load.hpp"
#include "penstock/elastic/channel_memory.hpp"
#include "penstock/elastic/channel_series.hpp"
#include "penstock/elastic/lever.hpp"

namespace penstock::elastic {

struct ChannelControllerOptions {
  ChannelRange range;
  Scaling scaling = Scaling::kRapid;
  // From 0 to 1: how small a change of throughput at one level means a new load.
  double sensitivity = 0.5;
  // The relative difference of throughput between two levels that counts as one.
  double margin = 0.05;
  // After so many periods a congested region forgets what more channels brought; 0 is never.
  int age = 12;
};

// Decides over how many channels a region is split (Gedik et al. 2014, §4, P1..P6). Pure:
// throughput and congestion are arguments and a period is one call. With margin and age 0 it is
// Algorithms 1 to 3 to the letter; as such it runs to the maximum when the bottleneck is elsewhere
// and throughput is a little noisy, and with a margin alone it never leaves such a state (A18).
class ChannelController {
 public:
  static constexpr Lever kLever = Lever::kChannels;
  // Older decisions are forgotten, so that a flow may run for years.
  static constexpr std::size_t kDecisionsKept = 4096;

  // Throws std::invalid_argument, naming the value and what is allowed.
  explicit ChannelController(ChannelControllerOptions options);

  // To be called once per period with what was measured in it with channels().
  ChannelDecision update(double throughput, bool congested);

  // Instead of update(), for a period in which the last decision was not followed yet. It does not
  // count: the next period measured is compared with the last one measured.
  ChannelDecision hold();

  // Channels outside of the new limits are left at once.
  void set_least(int channels);
  void set_most(int channels);

  [[nodiscard]] int channels() const { return memory_.channels(level_); }
  [[nodiscard]] int level() const noexcept { return level_; }
  // Whether the last period measured gave no reason for a change.
  [[nodiscard]] bool settled() const noexcept { return settled_; }
  [[nodiscard]] ChannelRange range() const noexcept { return memory_.series().range(); }
  [[nodiscard]] const std::deque<ChannelDecision>& decisions() const noexcept { return decisions_; }

 private:
  struct Load {
    bool less = false;
    bool more = false;
  };
  struct Step {
    int level = 0;
    ChannelReason reason = ChannelReason::kHeld;
    int compared_with = 0;
  };

  [[nodiscard]] Load adapt_to_load(double throughput, bool congested);
  [[nodiscard]] Step next_step(bool congested) const;
  [[nodiscard]] bool congestion_is_remote() const;
  [[nodiscard]] bool is_no_better_than_below() const;
  [[nodiscard]] Step expand() const;
  [[nodiscard]] Step contract() const;
  [[nodiscard]] bool is_outdated(int level) const;
  void set_range(ChannelRange range);
  const ChannelDecision& decide(const ChannelDecision& decision);

  ChannelMemory memory_;
  ChannelSensitivity sensitivity_;
  int age_;
  int level_ = 0;
  bool settled_ = false;
  std::uint64_t time_ = 0;
  std::deque<ChannelDecision> decisions_;
};

}  // namespace penstock::elastic
