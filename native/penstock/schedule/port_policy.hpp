#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace penstock::schedule {

// Decides which port a worker takes next.
//
//   put(port)        a port may have something to do. True when somebody should be woken for it.
//   take(has_work)   a port to try; `has_work(port)` tells whether it seems worth it. Empty only
//                    if there was a moment for each port that was put in at which it had nothing
//                    to do, or another thread took it.
//
// One that measures also has on_begin(port) and on_end(port, taken), called by whoever serves a
// port, and is then asked after every turn: nobody follows what was served to the next port.
template <typename Policy>
concept PortPolicy = std::constructible_from<Policy, std::size_t> &&
                     requires(Policy policy, std::size_t port, bool (*has_work)(std::size_t)) {
                       { policy.put(port) } -> std::same_as<bool>;
                       { policy.take(has_work) } -> std::same_as<std::optional<std::size_t>>;
                     };

template <typename Policy>
concept MeasuringPolicy =
    PortPolicy<Policy> && requires(Policy policy, std::size_t port, std::uint64_t taken) {
      policy.on_begin(port);
      policy.on_end(port, taken);
    };

// A port at one moment, for policies that want to know more than whether it has work: has_work has
// state(port), and covers(port) tells whether it may be taken at all. Stale before it is returned.
struct PortState {
  std::uint64_t taken = 0;  // runs, ever
  std::size_t waiting = 0;
  bool served = false;
  bool last = false;       // no port is behind it
  std::size_t behind = 0;  // runs in the next port
  std::size_t room = 0;    // and how many more fit there
};

}  // namespace penstock::schedule
