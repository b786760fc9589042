#pragma once

#include <cerrno>
#include <climits>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <pthread.h>
#include <string>
#include <system_error>
#include <utility>

#include "penstock/base/address_space.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/crash_report.hpp"

namespace penstock::base {

struct ThreadOptions {
  std::string name;  // shown by top and debuggers, cut to 15 characters
  // std::thread gives every thread the process's limit, usually 8 MiB; dozens of those do not
  // fit under a limit on address space such as spark.executor.pyspark.memory sets.
  std::size_t stack_bytes = std::size_t{1} << 20U;
};

// A named thread with a stack of chosen size, joined when destroyed.
class Thread {
 public:
  Thread() = default;

  template <std::invocable Body>
  Thread(ThreadOptions options, Body body) {
    auto start = std::make_unique<Start>(std::move(options.name), std::move(body));
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const std::size_t stack_bytes = round_stack(options.stack_bytes);
    int error = has_room_for_thread(stack_bytes) ? 0 : ENOMEM;
    if (error == 0) error = pthread_attr_setstacksize(&attributes, stack_bytes);
    if (error == 0) error = pthread_create(&handle_, &attributes, &Thread::run, start.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) throw_cannot_start(start->name, stack_bytes, error);
    static_cast<void>(start.release());
    joinable_ = true;
  }

  Thread(Thread&& other) noexcept
      : handle_(other.handle_), joinable_(std::exchange(other.joinable_, false)) {}
  Thread& operator=(Thread&& other) noexcept {
    if (this == &other) return *this;
    join();
    handle_ = other.handle_;
    joinable_ = std::exchange(other.joinable_, false);
    return *this;
  }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() { join(); }

  // Returns at once when there is nothing to join, so it may be called twice.
  void join() noexcept {
    if (!std::exchange(joinable_, false)) return;
    PENSTOCK_CHECK(pthread_join(handle_, nullptr) == 0, "A thread cannot join itself.");
  }

  [[nodiscard]] bool joinable() const noexcept { return joinable_; }

 private:
  struct Start {
    std::string name;
    std::function<void()> body;
  };

  static void* run(void* argument) {
    const std::unique_ptr<Start> start(static_cast<Start*>(argument));
    constexpr std::size_t kLongestName = 15;
#ifdef __APPLE__
    pthread_setname_np(start->name.substr(0, kLongestName).c_str());
#else
    pthread_setname_np(pthread_self(), start->name.substr(0, kLongestName).c_str());
#endif
    keep_stack_for_crash();
    start->body();
    return nullptr;
  }

  static std::size_t round_stack(std::size_t wanted) {
    constexpr std::size_t kPage = std::size_t{1} << 16U;
    const auto least = static_cast<std::size_t>(PTHREAD_STACK_MIN);
    return ((wanted < least ? least : wanted) + kPage - 1) / kPage * kPage;
  }

  [[noreturn]] static void throw_cannot_start(const std::string& name, std::size_t stack_bytes,
                                              int error) {
    throw std::system_error(error, std::generic_category(),
                            "cannot start thread '" + name + "' with a stack of " +
                                std::to_string(stack_bytes / 1024) +
                                " KiB; use fewer threads, or raise the limits on processes "
                                "(ulimit -u) and memory (spark.executor.pyspark.memory)");
  }

  pthread_t handle_{};
  bool joinable_ = false;
};

}  // namespace penstock::base
