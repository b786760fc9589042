#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace penstock::base {

// A binary token that one thread waits for and any thread hands over. Handing over twice before
// it is taken is the same as once, and handing over before the wait is not lost.
//
// A mutex and a condition variable, not a raw futex and not std::atomic::wait: the first is
// Linux only, the second has no time limit in C++20 and spins before it sleeps. The state word
// keeps them off the common path: a token that is already there costs one exchange, and so does
// handing one to a thread that is awake.
//
// Who hands it over may still be inside unpark() when park() returns, so a Parker must outlive it.
class Parker {
 public:
  Parker() = default;
  Parker(const Parker&) = delete;
  Parker& operator=(const Parker&) = delete;
  Parker(Parker&&) = delete;
  Parker& operator=(Parker&&) = delete;
  ~Parker() = default;

  void park() {
    if (take_token()) return;
    std::unique_lock lock(mutex_);
    if (!announce_sleep()) return;
    handed_over_.wait(lock, [this] { return take_token(); });
  }

  // False when the time passed without a token.
  [[nodiscard]] bool park_for(std::chrono::nanoseconds limit) {
    if (take_token()) return true;
    std::unique_lock lock(mutex_);
    if (!announce_sleep()) return true;
    if (handed_over_.wait_for(lock, limit, [this] { return take_token(); })) return true;
    return state_.exchange(kAwake, std::memory_order_acquire) == kToken;
  }

  void unpark() noexcept {
    if (state_.exchange(kToken, std::memory_order_release) != kAsleep) return;
    // The sleeper holds the mutex from its announcement until it waits: passing through the
    // mutex means it cannot miss the notification in between.
    {
      const std::scoped_lock lock(mutex_);
    }
    handed_over_.notify_one();
  }

 private:
  static constexpr std::uint32_t kAwake = 0;
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kToken = 2;

  [[nodiscard]] bool take_token() noexcept {
    std::uint32_t expected = kToken;
    return state_.compare_exchange_strong(expected, kAwake, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }

  // False when a token came first; it is then taken.
  [[nodiscard]] bool announce_sleep() noexcept {
    std::uint32_t expected = kAwake;
    if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_relaxed,
                                       std::memory_order_relaxed)) {
      return true;
    }
    return !take_token();
  }

  std::atomic<std::uint32_t> state_{kAwake};
  std::mutex mutex_;
  std::condition_variable handed_over_;
};

}  // namespace penstock::base
