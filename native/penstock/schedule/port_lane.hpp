#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "penstock/base/sync.hpp"
#include "penstock/schedule/line.hpp"

namespace penstock::schedule {

// The lane where runs wait in ports: a flag that whoever serves a station of the lane holds. Who is
// refused goes elsewhere, and who leaves the lane puts up all stations that are in it.
template <base::SyncPolicy Sync = base::RealSync>
class PortLane {
 public:
  template <RunnableLine Line>
  explicit PortLane(const Line& line) : inside_(static_cast<std::size_t>(line.stations())) {
    for (int station = 0; station < line.stations(); ++station) {
      if (!in_lane(line, station)) continue;
      inside_[static_cast<std::size_t>(station)] = true;
      stations_.push_back(static_cast<std::size_t>(station));
    }
  }

  // True as well for a station that is not in the lane.
  [[nodiscard]] bool try_enter(std::size_t station) noexcept {
    // Acquire: what is done in the lane comes after all that was done there before.
    return !inside_[station] || !taken_.exchange(true, std::memory_order_acquire);
  }
  // Stale before it returns.
  [[nodiscard]] bool closed_hint(std::size_t station) const noexcept {
    return inside_[station] && taken_.load(std::memory_order_relaxed);
  }
  // Who leaves looks, after a full fence, whether there is work at the stations returned.
  [[nodiscard]] std::span<const std::size_t> leave(std::size_t station) noexcept {
    if (!inside_[station]) return {};
    taken_.store(false, std::memory_order_release);
    return stations_;
  }

 private:
  std::vector<bool> inside_;  // by station
  std::vector<std::size_t> stations_;
  typename Sync::template Atomic<bool> taken_{false};
};

}  // namespace penstock::schedule
