#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::schedule {

// How long a port was served, for policies. Written by whoever serves the port, of whom there is
// one at a time; what others read of it is stale.
template <base::SyncPolicy Sync = base::RealSync>
class alignas(base::kCacheLine) PortMeter {
 public:
  struct Reading {
    std::chrono::nanoseconds last_begin{0};
    std::chrono::nanoseconds busy{0};
    std::uint64_t runs = 0;  // that were served in that time
  };

  void begin(std::chrono::nanoseconds now) noexcept {
    last_begin_.store(now.count(), std::memory_order_relaxed);
  }

  // `runs` is how many were ever taken out of the port.
  void end(std::chrono::nanoseconds now, std::uint64_t runs) noexcept {
    const auto spent = now.count() - last_begin_.load(std::memory_order_relaxed);
    busy_.store(busy_.load(std::memory_order_relaxed) + spent, std::memory_order_relaxed);
    runs_.store(runs, std::memory_order_relaxed);
  }

  [[nodiscard]] Reading read() const noexcept {
    return {.last_begin = std::chrono::nanoseconds(last_begin_.load(std::memory_order_relaxed)),
            .busy = std::chrono::nanoseconds(busy_.load(std::memory_order_relaxed)),
            .runs = runs_.load(std::memory_order_relaxed)};
  }

 private:
  typename Sync::template Atomic<std::int64_t> last_begin_{0};
  typename Sync::template Atomic<std::int64_t> busy_{0};
  typename Sync::template Atomic<std::uint64_t> runs_{0};
};

}  // namespace penstock::schedule
