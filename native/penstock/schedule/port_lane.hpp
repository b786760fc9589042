#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "penstock/schedule/line.hpp"
#include "penstock/schedule/port_policy.hpp"

namespace penstock::schedule {

// Ports with work, those of the lane apart from the others: they are the feeder's.
template <PortPolicy Policy>
class PortLane {
 public:
  template <RunnableLine Line>
  explicit PortLane(const Line& line)
      : workers_(static_cast<std::size_t>(line.stations())),
        feeders_(static_cast<std::size_t>(line.stations())) {
    for (int i = 0; i < line.stations(); ++i) lane_.push_back(in_lane(line, i));
  }

  [[nodiscard]] bool in_lane_of_feeder(std::size_t port) const noexcept { return lane_[port]; }

  bool put(std::size_t port) noexcept { return (lane_[port] ? feeders_ : workers_).put(port); }

  // The feeder looks into the lane first: nobody else does.
  template <typename HasWork>
  [[nodiscard]] std::optional<std::size_t> take(const HasWork& has_work, bool feeder) noexcept {
    if (feeder) {
      const auto found = feeders_.take(Half<HasWork>(has_work, lane_, true));
      if (found) return found;
    }
    return workers_.take(Half<HasWork>(has_work, lane_, false));
  }

  // Told by whoever serves a port, where it is measured.
  void on_begin(std::size_t port) noexcept {
    if constexpr (MeasuringPolicy<Policy>) (lane_[port] ? feeders_ : workers_).on_begin(port);
  }
  void on_end(std::size_t port, std::uint64_t taken) noexcept {
    if constexpr (MeasuringPolicy<Policy>) (lane_[port] ? feeders_ : workers_).on_end(port, taken);
  }

  // Both halves choose by the same policy from now on; before anything runs.
  template <typename Chosen>
  void choose(const Chosen& chosen) {
    workers_.choose(chosen);
    feeders_.choose(chosen);
  }

 private:
  // The ports of the lane, or the others.
  template <typename HasWork>
  class Half {
   public:
    Half(const HasWork& has_work, const std::vector<bool>& lane, bool in_lane) noexcept
        : has_work_(&has_work), lane_(&lane), in_lane_(in_lane) {}

    [[nodiscard]] bool covers(std::size_t port) const noexcept {
      return (*lane_)[port] == in_lane_;
    }
    [[nodiscard]] bool operator()(std::size_t port) const {
      return covers(port) && (*has_work_)(port);
    }
    [[nodiscard]] PortState state(std::size_t port) const { return has_work_->state(port); }

   private:
    const HasWork* has_work_;
    const std::vector<bool>* lane_;
    bool in_lane_;
  };

  std::vector<bool> lane_;  // by port
  Policy workers_;
  Policy feeders_;
};

}  // namespace penstock::schedule
