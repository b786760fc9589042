#pragma once

#include <concepts>
#include <cstddef>
#include <optional>

namespace penstock::schedule {

// Decides which port a worker takes next.
//
//   put(port)        a port may have something to do. True when somebody should be woken for it.
//   take(has_work)   a port to try; `has_work(port)` tells whether it seems worth it. Empty only
//                    if there was a moment for each port that was put in at which it had nothing
//                    to do, or another thread took it.
template <typename Policy>
concept PortPolicy = std::constructible_from<Policy, std::size_t> &&
                     requires(Policy policy, std::size_t port, bool (*has_work)(std::size_t)) {
                       { policy.put(port) } -> std::same_as<bool>;
                       { policy.take(has_work) } -> std::same_as<std::optional<std::size_t>>;
                     };

}  // namespace penstock::schedule
