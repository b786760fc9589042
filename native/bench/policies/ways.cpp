#include "bench/policies/ways.hpp"

namespace penstock::bench::policies {

void Ways::draw(std::vector<bool>& meets) {
  meets.assign(topology_->nodes.size() - 1, false);
  std::size_t at = 0;
  while (true) {
    const Node& node = topology_->nodes[at];
    if (at > 0) meets[at - 1] = true;
    if (node.outputs.empty()) return;
    if (node.selectivity < 1 && std::uniform_real_distribution<>(0, 1)(lots_) >= node.selectivity) {
      return;
    }
    const std::size_t ways = node.outputs.size();
    const auto chosen =
        ways == 1 ? 0 : std::uniform_int_distribution<std::size_t>(0, ways - 1)(lots_);
    at = static_cast<std::size_t>(node.outputs[chosen]);
  }
}

}  // namespace penstock::bench::policies
