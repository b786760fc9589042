#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::schedule {

// The runs under way: so many of them, used again and again, which bounds the memory a line holds
// whatever its queues could take.
//
// One thread, the feeder, admits and collects. Whoever brings a run to the end counts it as
// completed, after letting the next one go: what is counted is therefore not always that very
// run, but so many runs from the oldest on are through.
template <typename Run, base::SyncPolicy Sync = base::RealSync>
class RunWindow {
 public:
  // Room for so many, and all of them are used.
  explicit RunWindow(std::size_t most)
      : most_(most), size_(most), runs_(std::make_unique<Run[]>(most)) {
    PENSTOCK_CHECK(most >= 1, "a line needs room for a run");
  }

  // From now on uses so many of them, again and again: few stay in the cache. For the feeder, while
  // nothing is under way.
  void use(std::size_t size) noexcept {
    PENSTOCK_CHECK(under_way() == 0 && size >= 1 && size <= most_,
                   "a window changes while it is empty, and within its room");
    size_ = size;
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

  // complete() for runs that one thread alone brings to the end. The feeder looks for runs to
  // collect all the time, and would pull the count away from that thread at each of them: they are
  // counted where it looks only when it has nothing else to do, and shown to it some at a time.
  class Tally {
   public:
    // Everything that was completed before has been shown.
    explicit Tally(RunWindow& window) noexcept
        : window_(&window), through_(window.completed_.load(std::memory_order_relaxed)) {}

    void complete() noexcept {
      ++unshown_;
      window_->through_.store(++through_, std::memory_order_release);
    }
    // Due in the end. An addition: when the feeder has collected the last run unshown, others may
    // be completed in other ways by now.
    void show() noexcept {
      if (unshown_ == 0) return;
      window_->completed_.fetch_add(std::exchange(unshown_, 0), std::memory_order_release);
    }

   private:
    RunWindow* window_;
    std::uint64_t through_;
    std::uint64_t unshown_ = 0;
  };

  // The oldest run that is through; the feeder's until the next call of try_admit(). Null also
  // while runs that are through were not shown.
  [[nodiscard]] Run* try_collect() noexcept {
    if (collected_ == seen_) see(completed_);
    return collected_ == seen_ ? nullptr : &runs_[collected_++ % size_];
  }

  // Whether a run is through, shown or not. Only the feeder can make it false again, and then
  // try_collect() finds it.
  [[nodiscard]] bool collectable() const noexcept {
    if (collected_ == seen_) see(completed_);
    if (collected_ == seen_) see(through_);
    return collected_ != seen_;
  }
  [[nodiscard]] std::uint64_t under_way() const noexcept { return admitted_ - collected_; }
  // The serial number of the run that try_admit() will give out next.
  [[nodiscard]] std::uint64_t next_serial() const noexcept { return admitted_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  using Count = typename Sync::template Atomic<std::uint64_t>;

  // Either count may be behind the other.
  void see(const Count& count) const noexcept {
    seen_ = std::max(seen_, count.load(std::memory_order_acquire));
  }

  const std::size_t most_;
  std::size_t size_;  // the feeder's
  const std::unique_ptr<Run[]> runs_;
  std::uint64_t admitted_ = 0;      // the feeder's
  std::uint64_t collected_ = 0;     // the feeder's
  mutable std::uint64_t seen_ = 0;  // the feeder's: so many are known to be through
  alignas(base::kCacheLine) Count completed_{0};
  alignas(base::kCacheLine) Count through_{0};
};

}  // namespace penstock::schedule
