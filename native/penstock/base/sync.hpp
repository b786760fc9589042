#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

#include "penstock/base/parker.hpp"
#include "penstock/base/thread.hpp"

namespace penstock::base {

// The sync policy: everything through which threads can notice each other. Each concurrent type
// of the project takes it as its last template parameter, so that the very same code runs on
// real threads (RealSync) and, instruction by instruction, in the schedule explorer (SimSync).
//
//   Atomic<T>        as std::atomic<T>
//   Plain<T>         a field that is not atomic; the explorer reports races on it.
//                    Reached by Sync::read(field) and Sync::write(field).
//   Mutex            lock, unlock, try_lock
//   Parker           a binary token: park, park_for, unpark
//   Thread           (ThreadOptions, body), join
//   fence_seq_cst()  orders a store before a later load; nothing else needs a fence
//   yield()          nothing useful to do until another thread has run
//   now()            time since some fixed moment, never going back
//   random()         64 random bits, for tie breaking, not for secrets
//
// Thread-local variables are outside the policy, and the explorer cannot see them: pass a
// reference to what belongs to a thread instead.
template <typename Sync>
concept SyncPolicy = requires(typename Sync::template Atomic<std::uint64_t> atomic,
                              typename Sync::template Plain<int> plain, typename Sync::Mutex mutex,
                              typename Sync::Parker parker, typename Sync::Thread thread) {
  { atomic.load(std::memory_order_acquire) } -> std::same_as<std::uint64_t>;
  { atomic.fetch_or(1, std::memory_order_acq_rel) } -> std::same_as<std::uint64_t>;
  atomic.store(1, std::memory_order_release);
  { Sync::read(plain) } -> std::same_as<const int&>;
  { Sync::write(plain) } -> std::same_as<int&>;
  mutex.lock();
  mutex.unlock();
  { mutex.try_lock() } -> std::same_as<bool>;
  parker.park();
  parker.unpark();
  { parker.park_for(std::chrono::nanoseconds(1)) } -> std::same_as<bool>;
  requires std::constructible_from<typename Sync::Thread, ThreadOptions, void (*)()>;
  thread.join();
  Sync::fence_seq_cst();
  Sync::yield();
  { Sync::now() } -> std::same_as<std::chrono::nanoseconds>;
  { Sync::random() } -> std::same_as<std::uint64_t>;
};

// Real threads. Plain<T> is T itself and Atomic<T> is std::atomic<T>, so a type written against
// the policy compiles to what it would be without one.
struct RealSync {
  template <typename T>
  using Atomic = std::atomic<T>;
  template <typename T>
  using Plain = T;
  using Mutex = std::mutex;
  using Parker = base::Parker;
  using Thread = base::Thread;

  template <typename T>
  [[nodiscard]] static const T& read(const T& field) noexcept {
    return field;
  }
  template <typename T>
  [[nodiscard]] static T& write(T& field) noexcept {
    return field;
  }

  static void fence_seq_cst() noexcept {
#if defined(__SANITIZE_THREAD__)
    // ThreadSanitizer does not follow fences. A read-modify-write of one shared word orders at
    // least as much, and the sanitizer understands it.
    static std::atomic<unsigned> fence{0};
    fence.fetch_add(0, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }

  static void yield() noexcept { std::this_thread::yield(); }

  [[nodiscard]] static std::chrono::nanoseconds now() noexcept {
    return std::chrono::steady_clock::now().time_since_epoch();
  }

  [[nodiscard]] static std::uint64_t random() noexcept {
    constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;  // splitmix64
    static std::atomic<std::uint64_t> threads{0};
    thread_local std::uint64_t state = (threads.fetch_add(1, std::memory_order_relaxed) << 48U) ^
                                       static_cast<std::uint64_t>(now().count());
    std::uint64_t bits = state += kStep;
    bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31U);
  }
};

static_assert(SyncPolicy<RealSync>);

}  // namespace penstock::base
