#pragma once

#include <atomic>
#include <cstdint>

namespace penstock::base {

// What a thread is at, from construction to destruction: a note on its own stack for whoever has
// to tell of its crash (G7). Nobody else reads it, so it costs a few plain stores.
class Activity {
 public:
  // Input rows of the partition; none when count is 0.
  struct Rows {
    std::int64_t first = 0;
    std::int64_t count = 0;
  };

  // The names must outlive it.
  Activity(const char* flow, const char* name, Rows rows) noexcept
      : flow_(flow), name_(name), rows_(rows), outer_(current) {
    begin();
  }
  // Part of what the thread is at already.
  explicit Activity(const char* name) noexcept : name_(name), outer_(current) {
    if (outer_ != nullptr) {
      flow_ = outer_->flow_;
      rows_ = outer_->rows_;
    }
    begin();
  }
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;
  Activity(Activity&&) = delete;
  Activity& operator=(Activity&&) = delete;
  ~Activity() {
    current = outer_;
    std::atomic_signal_fence(std::memory_order_release);
  }

  // Of the calling thread; null when it is at nothing of ours. May be asked in a signal handler.
  [[nodiscard]] static const Activity* now() noexcept { return current; }

  [[nodiscard]] const char* flow() const noexcept { return flow_; }
  [[nodiscard]] const char* name() const noexcept { return name_; }
  [[nodiscard]] Rows rows() const noexcept { return rows_; }

 private:
  // The note is complete before a signal handler can find it.
  void begin() noexcept {
    std::atomic_signal_fence(std::memory_order_release);
    current = this;
    std::atomic_signal_fence(std::memory_order_release);
  }

#ifdef __linux__
  // Found without a call: the usual way into a loaded library may allocate memory, which a signal
  // handler must not, and costs more.
  [[gnu::tls_model("initial-exec")]]
#endif
  static inline constinit thread_local const Activity* current = nullptr;

  const char* flow_ = "";
  const char* name_;
  Rows rows_;
  const Activity* outer_;
};

}  // namespace penstock::base
