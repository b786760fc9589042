#pragma once

#include <cstddef>
#include <optional>

#include "penstock/base/sync.hpp"
#include "penstock/queue/bounded_mpmc.hpp"

namespace penstock::schedule {

// About the least recently tried port, found by going round a list of all of them (Schneider & Wu
// 2017, §4.1.3). A port stays on the list while it is run, its consumer role keeps others away;
// and a search ends after as many steps as there are ports, whoever else goes round (A2).
template <base::SyncPolicy Sync = base::RealSync>
class LeastRecentFirst {
 public:
  explicit LeastRecentFirst(std::size_t ports) : ports_(ports), list_(ports) {
    for (std::size_t port = 0; port < ports; ++port) push_back(port);
  }

  // All ports are on the list for ever; what is new is that searching is worth while.
  bool put(std::size_t /*port*/) noexcept { return true; }

  template <typename HasWork>
  [[nodiscard]] std::optional<std::size_t> take(HasWork has_work) noexcept {
    for (std::size_t step = 0; step < ports_; ++step) {
      const auto port = list_.try_pop();
      if (!port) {
        Sync::yield();
        continue;
      }
      push_back(*port);
      if (has_work(*port)) return port;
    }
    return std::nullopt;
  }

 private:
  void push_back(std::size_t port) noexcept {
    // There is room for every port; a refusal only means that a taker has not finished yet.
    while (!list_.try_push(port)) Sync::yield();
  }

  const std::size_t ports_;
  queue::BoundedMpmc<std::size_t, Sync> list_;
};

}  // namespace penstock::schedule
