#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "penstock/base/cache_line.hpp"

#include "bench/workload/item.hpp"

namespace penstock::bench {

// Consecutive tuples that were taken from a source and are still to be written down.
struct Claim {
  std::uint64_t first = 0;
  int count = 0;
  std::int64_t woke = 0;  // of a paced source: when it woke up to hand them over, if it slept
};

// Gives a number of tuples, as fast as they are taken or at a rate. At a rate, the tuples of a
// tick become due together, and whoever takes them sleeps in between: a source that reads a
// socket behaves like that.
class Source {
 public:
  static constexpr std::int64_t kTick = 50'000;  // nanoseconds

  // `rate` in tuples per second; 0 for as fast as they are taken.
  Source(std::uint64_t tuples, double rate);

  [[nodiscard]] bool ended() const noexcept { return sent_ == tuples_; }
  // Tuples that can be taken now; 0 when ended or when the next tick must be waited for.
  [[nodiscard]] std::uint64_t due() const noexcept { return due_ - sent_; }
  [[nodiscard]] bool paced() const noexcept { return tuples_per_tick_ > 0; }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }

  // Takes up to `most` of the tuples that are due. Nothing is written yet: like the slice of a
  // batch that was read, a claim is passed on at no cost, and whoever works on the tuples is the
  // first to touch them. Inline: a claim that went through memory would wait for every store before
  // it, also those to cache lines that another thread still has.
  [[nodiscard]] Claim claim(int most) noexcept {
    const auto count = std::min<std::uint64_t>(static_cast<std::uint64_t>(most), due());
    const Claim claim{.first = sent_, .count = static_cast<int>(count), .woke = woke_};
    sent_ += count;
    return claim;
  }
  // Writes down what was claimed; on any thread.
  void write(const Claim& claim, Item* items) const noexcept;

  // Both at once; returns how many.
  int fill(Item* items, int most) noexcept;

  // Sleeps until the next tick; for paced sources.
  void wait() noexcept;

  // By how many nanoseconds each tick was noticed too late.
  [[nodiscard]] std::vector<std::int64_t>& delays() noexcept { return delays_; }

 private:
  // When a tuple was, or should have been, handed over. A source that slept hands over when it
  // wakes, and how exactly the kernel does that is no contender's merit or fault. One that was
  // kept busy beyond the tick should have done so at the tick.
  [[nodiscard]] std::int64_t handed_over(std::uint64_t serial, std::int64_t woke) const noexcept;
  // The time it woke up.
  static std::int64_t sleep_until(std::int64_t time) noexcept;

  // Whoever writes tuples down reads these, and whoever takes them writes the others.
  const std::uint64_t tuples_;
  const double tuples_per_tick_;
  std::int64_t started_ = 0;  // when the first tick was waited for
  alignas(base::kCacheLine) std::uint64_t sent_ = 0;
  std::uint64_t due_;
  std::int64_t ticks_ = 0;  // that have come
  std::int64_t woke_ = 0;   // from the sleep before the last tick; 0 when there was no time for one
  std::vector<std::int64_t> delays_;
};

}  // namespace penstock::bench
