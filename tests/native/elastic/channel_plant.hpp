#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "penstock/elastic/channel_controller.hpp"

namespace penstock::elastic {

// Channels of 100 tuples per second each, followed by what handles as many as `remote`.
struct ChannelPlant {
  double load = 0;
  double remote = std::numeric_limits<double>::infinity();

  [[nodiscard]] ChannelDecision period(ChannelController& controller) const {
    const double capacity = std::min(100.0 * controller.channels(), remote);
    return controller.update(std::min(load, capacity), load > capacity);
  }
};

inline std::vector<int> run(ChannelController& controller, const ChannelPlant& plant, int periods) {
  std::vector<int> channels;
  for (int i = 0; i < periods; ++i) channels.push_back(plant.period(controller).channels);
  return channels;
}

inline std::vector<ChannelReason> reasons(const ChannelController& controller, std::size_t last) {
  std::vector<ChannelReason> found;
  const auto& all = controller.decisions();
  for (std::size_t i = all.size() - last; i < all.size(); ++i) found.push_back(all[i].reason);
  return found;
}

}  // namespace penstock::elastic
