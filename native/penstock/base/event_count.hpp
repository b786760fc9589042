#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/base/sync.hpp"

namespace penstock::base {

// Lets any number of threads sleep until a condition that is kept elsewhere may have come true,
// without a lock around that condition.
//
//   waiter                                      notifier
//     const auto key = events.prepare_wait();     make the condition true
//     if (condition) events.cancel_wait();        events.notify_one();
//     else wake = events.wait(key);
//
// No wake-up is lost. Each side writes, passes a full fence, then reads what the other wrote
// (the waiter its announcement then the condition, the notifier the condition then the
// announcements), so at least one of them sees the other. A notifier that sees an announcement
// moves the epoch: whoever has prepared but does not sleep yet finds its key outdated, and of
// those asleep one is taken off the list and woken.
//
// A wake-up is a duty: the woken thread must look at the condition, or somebody else must. It is
// therefore a value that passes itself on when it is dropped; only accept() keeps it. A thread
// told to leave between waking and looking just leaves.
template <SyncPolicy Sync = RealSync>
class EventCount {
 public:
  using Key = std::uint32_t;

  // The duty to look, or the news that the time limit passed.
  class [[nodiscard]] WakeUp {
   public:
    WakeUp(WakeUp&& other) noexcept : events_(std::exchange(other.events_, nullptr)) {}
    WakeUp& operator=(WakeUp&&) = delete;
    WakeUp(const WakeUp&) = delete;
    WakeUp& operator=(const WakeUp&) = delete;
    ~WakeUp() { pass_on(); }

    // False when wait_for() ran into its limit: nobody asked this thread to look.
    [[nodiscard]] explicit operator bool() const noexcept { return events_ != nullptr; }

    // Promises that this thread looks at the condition before it sleeps again or leaves.
    void accept() noexcept { events_ = nullptr; }

    void pass_on() noexcept {
      if (EventCount* events = std::exchange(events_, nullptr)) events->notify_one();
    }

   private:
    friend EventCount;
    explicit WakeUp(EventCount* events) noexcept : events_(events) {}

    EventCount* events_;
  };

  EventCount() = default;
  EventCount(const EventCount&) = delete;
  EventCount& operator=(const EventCount&) = delete;
  EventCount(EventCount&&) = delete;
  EventCount& operator=(EventCount&&) = delete;
  ~EventCount() {
    PENSTOCK_CHECK(waiters(state_.load(std::memory_order_relaxed)) == 0,
                   "An event count must outlive the threads that wait on it.");
  }

  // Announces this thread. Look at the condition next, then call cancel_wait() or wait().
  [[nodiscard]] Key prepare_wait() noexcept {
    // Acquire pairs with the epoch's move: who sees the new epoch sees what was announced.
    const auto before = state_.fetch_add(kOneWaiter, std::memory_order_acquire);
    Sync::fence_seq_cst();
    return epoch(before);
  }

  void cancel_wait() noexcept { state_.fetch_sub(kOneWaiter, std::memory_order_relaxed); }

  WakeUp wait(Key key) {
    Sleeper me;
    if (fall_asleep(me, key)) {
      me.parker.park();
      wait_until_waker_is_done();
    }
    // The list has let go of `me` by now, which the analyzer cannot know.
    return WakeUp(this);  // NOLINT(clang-analyzer-core.StackAddressEscape)
  }

  WakeUp wait_for(Key key, std::chrono::nanoseconds limit) {
    Sleeper me;
    if (!fall_asleep(me, key)) return WakeUp(this);
    if (me.parker.park_for(limit)) {
      wait_until_waker_is_done();
      return WakeUp(this);  // NOLINT(clang-analyzer-core.StackAddressEscape): as above
    }
    return WakeUp(leave_list(me) ? nullptr : this);
  }

  // Cheap when nobody waits: a fence and one look at a line that then stays shared.
  void notify_one() noexcept { notify(false); }
  void notify_all() noexcept { notify(true); }

  // Threads that are announced or asleep: for policies and metrics, never a precondition.
  [[nodiscard]] std::uint32_t waiters_hint() const noexcept {
    return waiters(state_.load(std::memory_order_relaxed));
  }

 private:
  // Lives on the sleeping thread's stack. Whoever holds the mutex may touch it while it is on
  // the list; its waker holds the mutex until it is done with it.
  struct Sleeper {
    typename Sync::Parker parker;
    Sleeper* next = nullptr;
  };

  static constexpr std::uint64_t kOneWaiter = 1;
  static constexpr std::uint64_t kOneEpoch = std::uint64_t{1} << 32U;

  static std::uint32_t waiters(std::uint64_t state) noexcept {
    return static_cast<std::uint32_t>(state);
  }
  static std::uint32_t epoch(std::uint64_t state) noexcept {
    return static_cast<std::uint32_t>(state >> 32U);
  }

  // False, with the announcement withdrawn, when a notification came since `key` was given out.
  [[nodiscard]] bool fall_asleep(Sleeper& me, Key key) {
    const std::scoped_lock lock(mutex_);
    // Relaxed: the epoch moves only under the mutex.
    if (epoch(state_.load(std::memory_order_relaxed)) != key) {
      cancel_wait();
      return false;
    }
    me.next = std::exchange(Sync::write(asleep_), &me);
    return true;
  }

  // False when a notifier took `me` off the list first: then its wake-up counts.
  [[nodiscard]] bool leave_list(Sleeper& me) {
    const std::scoped_lock lock(mutex_);
    for (Sleeper** link = &Sync::write(asleep_); *link != nullptr; link = &(*link)->next) {
      if (*link != &me) continue;
      *link = me.next;
      cancel_wait();
      return true;
    }
    return false;
  }

  void wait_until_waker_is_done() { const std::scoped_lock lock(mutex_); }

  void notify(bool all) noexcept {
    Sync::fence_seq_cst();
    if (waiters(state_.load(std::memory_order_relaxed)) == 0) return;
    const std::scoped_lock lock(mutex_);
    state_.fetch_add(kOneEpoch, std::memory_order_release);
    Sleeper*& asleep = Sync::write(asleep_);
    while (asleep != nullptr) {
      // Last to sleep, first to wake: its caches are warm, and surplus threads stay asleep.
      Sleeper* const woken = std::exchange(asleep, asleep->next);
      cancel_wait();
      woken->parker.unpark();
      if (!all) return;
    }
  }

  alignas(kCacheLine) typename Sync::template Atomic<std::uint64_t> state_{0};  // epoch, waiters
  alignas(kCacheLine) typename Sync::Mutex mutex_;
  typename Sync::template Plain<Sleeper*> asleep_{nullptr};  // only under the mutex
};

}  // namespace penstock::base
