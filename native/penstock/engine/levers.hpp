#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "penstock/elastic/channel_series.hpp"
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

// The same of the regions of a flow: each has a number of channels.
class ChannelLevers {
 public:
  ChannelLevers() = default;
  ChannelLevers(const ChannelLevers&) = delete;
  ChannelLevers& operator=(const ChannelLevers&) = delete;
  ChannelLevers(ChannelLevers&&) = delete;
  ChannelLevers& operator=(ChannelLevers&&) = delete;
  virtual ~ChannelLevers() = default;

  [[nodiscard]] virtual int size() const = 0;
  [[nodiscard]] virtual std::string name(int region) const = 0;
  [[nodiscard]] virtual elastic::ChannelRange range(int region) const = 0;
  // Somebody else chose the channels of this region.
  [[nodiscard]] virtual bool pinned(int region) const = 0;
  // Takes effect as soon as it can.
  virtual void set_channels(int region, int channels) = 0;
  // What was asked for is in effect everywhere.
  [[nodiscard]] virtual bool settled() const = 0;
  // How long runs have waited before each channel in use, because it was busy, since the last time.
  [[nodiscard]] virtual std::vector<std::chrono::nanoseconds> take_waits(int region) = 0;
};

}  // namespace penstock::engine
