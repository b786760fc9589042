#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/sync.hpp"
#include "penstock/base/tally.hpp"

namespace penstock::schedule {

// Why a worker does nothing.
enum class Rest {
  kAsleep,  // there is nothing to do
  kAway,    // it is suspended, or, the feeder, with whoever takes the output
};

// How one worker spends its time: one cache line that it alone writes and anybody may read.
//
// Only rests are timed. Whatever is not rest is being busy, so a worker that never sleeps never
// reads the clock, and busy, asleep and away always add up to the time it has existed.
template <base::SyncPolicy Sync = base::RealSync>
class alignas(base::kCacheLine) WorkerMeter {
 public:
  using Time = std::chrono::nanoseconds;

  struct Reading {
    bool started = false;
    Time busy{0};
    Time asleep{0};
    Time away{0};
    std::int64_t pieces = 0;  // of work that were carried
  };

  void start(Time now) noexcept { started_.store(now.count(), std::memory_order_release); }
  void finish(Time now) noexcept { finished_.store(now.count(), std::memory_order_relaxed); }
  void begin(Rest rest, Time now) noexcept {
    spell(rest).since.store(now.count(), std::memory_order_relaxed);
  }
  void end(Rest rest, Time now) noexcept {
    Spell& ended = spell(rest);
    const auto since = ended.since.load(std::memory_order_relaxed);
    const auto total = ended.total.load(std::memory_order_relaxed);
    ended.since.store(kNever, std::memory_order_relaxed);
    // Release: who sees the longer total does not see the same spell as still going on.
    ended.total.store(total + now.count() - since, std::memory_order_release);
  }
  void carried() noexcept { pieces_.add(1); }

  // `now` is when it is read, for what is still going on.
  [[nodiscard]] Reading read(Time now) const noexcept {
    const auto started = started_.load(std::memory_order_acquire);
    if (started == kNever) return {};
    const auto finished = finished_.load(std::memory_order_relaxed);
    const Time until = finished == kNever ? now : std::min(now, Time(finished));
    const Time alive = std::max(until - Time(started), Time(0));
    const Time asleep = std::min(asleep_.length(until), alive);
    const Time away = std::min(away_.length(until), alive - asleep);
    return {.started = true,
            .busy = alive - asleep - away,
            .asleep = asleep,
            .away = away,
            .pieces = pieces_.value()};
  }

 private:
  using Moment = typename Sync::template Atomic<std::int64_t>;

  static constexpr std::int64_t kNever = -1;

  struct Spell {
    [[nodiscard]] Time length(Time until) const noexcept {
      const Time before(total.load(std::memory_order_acquire));
      const auto begun = since.load(std::memory_order_relaxed);
      return begun == kNever ? before : before + std::max(until - Time(begun), Time(0));
    }

    Moment total{0};
    Moment since{kNever};
  };

  [[nodiscard]] Spell& spell(Rest rest) noexcept { return rest == Rest::kAsleep ? asleep_ : away_; }

  Moment started_{kNever};
  Moment finished_{kNever};
  Spell asleep_;
  Spell away_;
  base::Tally<Sync> pieces_;
};

static_assert(sizeof(WorkerMeter<>) == base::kCacheLine, "a worker writes to one line only");

// A rest of a worker as a scope; nothing, not even a look at the clock, without a meter.
template <base::SyncPolicy Sync = base::RealSync>
class Resting {
 public:
  Resting(WorkerMeter<>* meter, Rest rest) noexcept : meter_(meter), rest_(rest) {
    if (meter_ != nullptr) meter_->begin(rest_, Sync::now());
  }
  Resting(const Resting&) = delete;
  Resting& operator=(const Resting&) = delete;
  Resting(Resting&&) = delete;
  Resting& operator=(Resting&&) = delete;
  ~Resting() {
    if (meter_ != nullptr) meter_->end(rest_, Sync::now());
  }

 private:
  WorkerMeter<>* meter_;
  Rest rest_;
};

}  // namespace penstock::schedule
