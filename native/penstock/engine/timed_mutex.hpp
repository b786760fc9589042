#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace penstock::engine {

// What std::timed_mutex does, in calls that the thread sanitizer can follow: waiting for one by the
// steady clock is unknown to that of GCC 12, which then reports every unlock.
class TimedMutex {
 public:
  void lock() {
    std::unique_lock lock(mutex_);
    freed_.wait(lock, [this] { return !held_; });
    held_ = true;
  }

  [[nodiscard]] bool try_lock_for(std::chrono::nanoseconds patience) {
    std::unique_lock lock(mutex_);
    if (!freed_.wait_for(lock, patience, [this] { return !held_; })) return false;
    held_ = true;
    return true;
  }

  // Notifies before it lets go: whoever comes next may destroy this.
  void unlock() {
    const std::scoped_lock lock(mutex_);
    held_ = false;
    freed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  bool held_ = false;
};

}  // namespace penstock::engine
