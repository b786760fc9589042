#pragma once

#include <cstddef>
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
  [[nodiscard]] std::optional<std::size_t> take(HasWork has_work, bool feeder) noexcept {
    if (feeder) {
      const auto found = feeders_.take([&](auto port) { return lane_[port] && has_work(port); });
      if (found) return found;
    }
    return workers_.take([&](auto port) { return !lane_[port] && has_work(port); });
  }

 private:
  std::vector<bool> lane_;  // by port
  Policy workers_;
  Policy feeders_;
};

}  // namespace penstock::schedule
