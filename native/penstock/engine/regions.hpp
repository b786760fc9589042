#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "penstock/engine/flow_line.hpp"
#include "penstock/engine/levers.hpp"
#include "penstock/region/migration.hpp"

namespace penstock::engine {

// The regions of a running flow: how many channels each has, and the pulses that change it. The
// feeder's, but for ask_for().
class Regions final : public ChannelLevers {
 public:
  explicit Regions(FlowLine& line);

  [[nodiscard]] int size() const override { return static_cast<int>(regions_.size()); }
  [[nodiscard]] std::string name(int region) const override;
  [[nodiscard]] elastic::ChannelRange range(int region) const override;
  [[nodiscard]] bool pinned(int region) const override { return at(region).pinned; }
  void set_channels(int region, int channels) override { at(region).migration.ask_for(channels); }
  [[nodiscard]] bool settled() const override;
  [[nodiscard]] std::vector<std::chrono::nanoseconds> take_waits(int region) override;

  // From any thread: so many channels as soon as it can be, and no others until asked again. Throws
  // std::invalid_argument, naming what there is, for a region or a number that does not exist.
  void ask_for(const std::string& name, int channels);

  // A pulse must be sent before any more rows; fill() makes a run one.
  [[nodiscard]] bool pulse_is_due();
  void fill(FlowRun& run, std::int64_t next_row);
  [[nodiscard]] bool admits_rows() const noexcept;
  // A pulse came through, and did not fail.
  void collect(FlowRun& run);

 private:
  struct Region {
    explicit Region(const FlowLine::Resizable& place)
        : node(place.node), body(place.body), migration(place.width) {}

    int node;
    graph::ResizableOperator* body;
    region::Migration migration;
    std::unique_ptr<graph::Pieces> moving;  // between two pulses
    std::vector<std::int64_t> waited_ns;    // by channel, when it was looked at last
    std::atomic<int> asked{0};              // by others, and not yet passed on
    bool pinned = false;
  };

  void take_wishes();
  [[nodiscard]] Region& at(int region) const { return *regions_[static_cast<std::size_t>(region)]; }

  FlowLine* line_;
  std::vector<std::unique_ptr<Region>> regions_;
};

}  // namespace penstock::engine
