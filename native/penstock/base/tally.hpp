#pragma once

#include <atomic>
#include <cstdint>

#include "penstock/base/sync.hpp"

namespace penstock::base {

// A number that one thread at a time adds to, and that any thread may read meanwhile. Adding is a
// load and a store, not a locked instruction: counting must not slow down what is counted.
template <SyncPolicy Sync = RealSync>
class Tally {
 public:
  void add(std::int64_t amount) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  void raise_to(std::int64_t least) noexcept {
    if (value_.load(std::memory_order_relaxed) < least) {
      value_.store(least, std::memory_order_relaxed);
    }
  }
  [[nodiscard]] std::int64_t value() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  typename Sync::template Atomic<std::int64_t> value_{0};
};

}  // namespace penstock::base
