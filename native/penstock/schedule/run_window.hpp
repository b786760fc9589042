#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::schedule {

// The runs under way: a fixed number of them, used again and again, which bounds the memory a
// line holds whatever its queues could take.
//
// One thread, the feeder, admits and collects. Whoever brings a run to the end counts it as
// completed, after letting the next one go: what is counted is therefore not always that very
// run, but so many runs from the oldest on are through.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
class RunWindow {
 public:
  explicit RunWindow(std::size_t size) : size_(size), runs_(std::make_unique<Run[]>(size)) {
    PENSTOCK_CHECK(size >= 1, "a line needs room for a run");
  }

  // The next run to fill, or null while all of them are under way or wait to be collected.
  [[nodiscard]] Run* try_admit() noexcept {
    if (under_way() >= size_) return nullptr;
    Run& run = runs_[admitted_ % size_];
    run.serial = admitted_++;
    run.station = 0;
    run.has_turn = false;
    return &run;
  }

  // One more run is through. Runs must pass the place before this call one after another, and in
  // the order of their serial numbers; from here on the caller touches none of them.
  void complete() noexcept {
    // Release pairs with collectable(): what the run's journey did to it is visible, and so is
    // that of every earlier run, since each handed over to the next.
    completed_.fetch_add(1, std::memory_order_release);
  }

  // The oldest run that is through; the feeder's until the next call of try_admit().
  [[nodiscard]] Run* try_collect() noexcept {
    return collectable() ? &runs_[collected_++ % size_] : nullptr;
  }

  // Only the feeder can make it false again.
  [[nodiscard]] bool collectable() const noexcept {
    return collected_ != completed_.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return admitted_ - collected_; }
  // The serial number of the run that try_admit() will give out next.
  [[nodiscard]] std::uint64_t next_serial() const noexcept { return admitted_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  const std::size_t size_;
  const std::unique_ptr<Run[]> runs_;
  std::uint64_t admitted_ = 0;   // the feeder's
  std::uint64_t collected_ = 0;  // the feeder's
  alignas(base::kCacheLine) typename Sync::template Atomic<std::uint64_t> completed_{0};
};

}  // namespace penstock::schedule
