#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "penstock/base/sync.hpp"
#include "penstock/base/thread_clock.hpp"

namespace penstock::engine {

struct FeederClock {
  [[nodiscard]] static std::chrono::nanoseconds now() noexcept { return base::RealSync::now(); }
  [[nodiscard]] static std::chrono::nanoseconds worked() noexcept { return base::thread_now(); }
  [[nodiscard]] static std::thread::id thread() noexcept { return std::this_thread::get_id(); }
};

// Time that the feeder spent outside of the flow, and how much of it was waiting: what its thread
// computes there is not, because with other threads the flow would go on meanwhile.
struct TimeOutside {
  std::chrono::nanoseconds total{0};
  std::chrono::nanoseconds waited{0};
};

// How long the feeder is outside of the flow, with whoever makes its input or takes its output.
//
// Every stay is timed. What part of it was waiting is looked at now and then, because the clock
// that tells is slow.
template <typename Clock = FeederClock>
class Outside {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  static constexpr int kLooksOneIn = 8;
  static constexpr Nanoseconds kRare = std::chrono::milliseconds(5);  // those are all looked at

  // One stay, as a scope; nothing without an owner.
  class Stay {
   public:
    explicit Stay(Outside* owner) noexcept : owner_(owner) {
      if (owner_ != nullptr) owner_->leave();
    }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;
    Stay(Stay&&) = delete;
    Stay& operator=(Stay&&) = delete;
    ~Stay() {
      if (owner_ != nullptr) owner_->enter();
    }

   private:
    Outside* owner_;
  };

  void leave() noexcept {
    left_ = Clock::now();
    looks_ = ++stays_ % kLooksOneIn == 0 || left_ - looked_ >= kRare;
    if (!looks_) return;
    looked_ = left_;
    worked_ = Clock::worked();
    thread_ = Clock::thread();
  }

  // Nothing for who never left.
  void enter() noexcept {
    if (left_ == kInside) return;
    const Nanoseconds stay = Clock::now() - left_;
    left_ = kInside;
    total_ += stay;
    // The clock is that of one thread, and another one may come back.
    if (!looks_ || thread_ != Clock::thread()) return;
    looked_at_ += stay;
    waited_ += std::clamp(stay - (Clock::worked() - worked_), Nanoseconds(0), stay);
  }

  // Since the last time.
  [[nodiscard]] TimeOutside take() noexcept {
    const Nanoseconds total = std::exchange(total_, Nanoseconds(0));
    const Nanoseconds looked_at = std::exchange(looked_at_, Nanoseconds(0));
    const Nanoseconds waited = std::exchange(waited_, Nanoseconds(0));
    if (looked_at == Nanoseconds(0)) return {.total = total};
    const double share = std::chrono::duration<double>(waited) / looked_at;
    return {.total = total,
            .waited = std::chrono::duration_cast<Nanoseconds>(
                share * std::chrono::duration<double, std::nano>(total))};
  }

 private:
  static constexpr Nanoseconds kInside = Nanoseconds::min();

  Nanoseconds left_ = kInside;
  Nanoseconds worked_{0};
  Nanoseconds looked_{Nanoseconds::min() / 2};
  std::thread::id thread_;
  bool looks_ = false;
  std::uint64_t stays_ = 0;
  Nanoseconds total_{0};      // of all stays
  Nanoseconds looked_at_{0};  // of those that were looked at,
  Nanoseconds waited_{0};     // and what of it was waiting
};

}  // namespace penstock::engine
