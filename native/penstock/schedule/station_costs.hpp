#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "penstock/base/sync.hpp"

namespace penstock::schedule {

// How long each station takes for a run, sampled: enough to say which stations are heavy, and
// cheap enough to be measured all the time.
template <base::SyncPolicy Sync = base::RealSync>
class StationCosts {
 public:
  // One run in so many is timed. It is odd, so that it does not keep step with whatever repeats
  // every few runs.
  static constexpr std::uint64_t kEvery = 61;

  explicit StationCosts(int stations)
      : size_(static_cast<std::size_t>(stations)),
        nanoseconds_(std::make_unique<typename Sync::template Atomic<std::int64_t>[]>(size_)) {}

  [[nodiscard]] static bool samples(std::uint64_t serial) noexcept { return serial % kEvery == 0; }

  // By whoever works at the station: where several may, one of two simultaneous samples is lost,
  // and nothing else.
  void add(int station, std::chrono::nanoseconds time) noexcept {
    auto& sum = nanoseconds_[static_cast<std::size_t>(station)];
    sum.store(sum.load(std::memory_order_relaxed) + time.count(), std::memory_order_relaxed);
  }

  // Nanoseconds by station since the beginning; they mean something only in proportion.
  [[nodiscard]] std::vector<double> totals() const {
    std::vector<double> totals(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      totals[i] = static_cast<double>(nanoseconds_[i].load(std::memory_order_relaxed));
    }
    return totals;
  }

 private:
  std::size_t size_;
  std::unique_ptr<typename Sync::template Atomic<std::int64_t>[]> nanoseconds_;
};

}  // namespace penstock::schedule
