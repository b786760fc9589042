#pragma once

#include <cstddef>
#include <optional>

#include "penstock/base/sync.hpp"
#include "penstock/queue/ready_set.hpp"

namespace penstock::schedule {

// The ready port nearest to the end of the line: what is furthest along gets out first, which
// makes room for the rest. Found by counting zeros in a bitmap, so that a thousand ports cost no
// more to search than a few.
template <base::SyncPolicy Sync = base::RealSync>
class FurthestFirst {
 public:
  explicit FurthestFirst(std::size_t ports) : ready_(ports) {}

  bool put(std::size_t port) noexcept { return ready_.set(from_end(port)); }

  template <typename HasWork>
  [[nodiscard]] std::optional<std::size_t> take(HasWork /*unused*/) noexcept {
    const auto found = ready_.take_next(0);
    return found ? std::optional(from_end(*found)) : std::nullopt;
  }

 private:
  [[nodiscard]] std::size_t from_end(std::size_t port) const noexcept {
    return ready_.capacity() - 1 - port;
  }

  queue::ReadySet<Sync> ready_;
};

}  // namespace penstock::schedule
