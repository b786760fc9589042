#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "penstock/base/sync.hpp"
#include "penstock/queue/port_queue.hpp"
#include "penstock/schedule/port_policy.hpp"

namespace penstock::schedule {

// What waits before a station.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
struct Port {
  using Queue = queue::PortQueue<Run*, Sync>;

  explicit Port(std::size_t capacity) : queue(capacity) {}

  Queue queue;
  typename Sync::template Atomic<bool> served{false};  // who serves it looks again afterwards
};

// The ports of a line as a policy sees them, in the order of the stations. Everything is stale
// before it is returned.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
class PortLook {
 public:
  using Ports = std::vector<std::unique_ptr<Port<Run, Sync>>>;

  explicit PortLook(const Ports& ports) noexcept : ports_(&ports) {}

  // A run waits in the port that nobody is at, and there is room for it behind.
  [[nodiscard]] bool operator()(std::size_t station) const noexcept {
    const auto& port = at(station);
    if (port.served.load(std::memory_order_relaxed) || port.queue.size_hint() == 0) return false;
    if (is_last(station)) return true;
    const auto& next = at(station + 1).queue;
    return next.size_hint() < next.capacity();
  }

  [[nodiscard]] PortState state(std::size_t station) const noexcept {
    const auto& port = at(station);
    PortState state{.taken = port.queue.taken_hint(),
                    .waiting = port.queue.size_hint(),
                    .served = port.served.load(std::memory_order_relaxed),
                    .last = is_last(station)};
    if (state.last) return state;
    const auto& next = at(station + 1).queue;
    state.behind = next.size_hint();
    state.room = next.capacity() - state.behind;
    return state;
  }

 private:
  [[nodiscard]] const Port<Run, Sync>& at(std::size_t station) const noexcept {
    return *(*ports_)[station];
  }
  [[nodiscard]] bool is_last(std::size_t station) const noexcept {
    return station + 1 == ports_->size();
  }

  const Ports* ports_;
};

}  // namespace penstock::schedule
