// Parking: no wake-up is lost, whoever waits, notifies, runs out of time or leaves.

#include "penstock/base/event_count.hpp"

#include <chrono>

#include "explorer/mutant.hpp"
#include "explorer/scenario.hpp"

namespace penstock::explorer {
namespace {

using NoFences = Mutant<SimSync, {.no_fences = true}>;

// Fences are missing only in threads whose name begins with this letter.
template <char kInitial>
struct NoFenceIn : SimSync {
  static void fence_seq_cst() {
    if (!Schedule::running().current().name.starts_with(kInitial)) SimSync::fence_seq_cst();
  }
};

constexpr int kEach = 2;  // items per thread
constexpr std::chrono::milliseconds kLimit{10};

// Items to be taken, counted so that only parking orders anything.
template <typename Sync>
class Counter {
 public:
  void add() { items_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] bool any() const { return items_.load(std::memory_order_relaxed) > 0; }
  [[nodiscard]] bool take() {
    int seen = items_.load(std::memory_order_relaxed);
    while (seen > 0) {
      if (items_.compare_exchange_strong(seen, seen - 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }

 private:
  typename Sync::template Atomic<int> items_{0};
};

enum class Fault { kNone, kNoSecondLook, kKeepsWakeUp };

template <typename Sync>
void put(Counter<Sync>& items, base::EventCount<Sync>& events) {
  items.add();
  events.notify_one();
}

// Two waiters and two notifiers, two items each.
template <typename Sync, Fault kFault = Fault::kNone, bool kTimed = false>
void each_waiter_gets_its_items() {
  base::EventCount<Sync> events;
  Counter<Sync> items;
  Crew crew;
  for (const char* name : {"waiter 1", "waiter 2"}) {
    crew.add(name, [&] {
      for (int taken = 0; taken < kEach;) {
        if (items.take()) {
          ++taken;
          continue;
        }
        const auto key = events.prepare_wait();
        if (kFault != Fault::kNoSecondLook && items.any()) {
          events.cancel_wait();
        } else if constexpr (kTimed) {
          events.wait_for(key, kLimit).accept();
        } else {
          events.wait(key).accept();
        }
      }
    });
  }
  for (const char* name : {"notifier 1", "notifier 2"}) {
    crew.add(name, [&] {
      for (int i = 0; i < kEach; ++i) put(items, events);
    });
  }
}

// One item, and two workers of which one is told to leave at some moment. Whoever takes the item
// ends the run; a worker that leaves with the wake-up for it leaves the other asleep.
template <typename Sync, Fault kFault = Fault::kNone>
void a_leaving_worker_passes_its_wake_up_on() {
  base::EventCount<Sync> events;
  Counter<Sync> items;
  typename Sync::template Atomic<bool> leave{false};
  typename Sync::template Atomic<bool> done{false};
  Crew crew;
  const auto work = [&](bool may_leave) {
    while (!done.load(std::memory_order_acquire)) {
      if (items.take()) {
        done.store(true, std::memory_order_release);
        events.notify_all();
        return;
      }
      const auto key = events.prepare_wait();
      if (items.any() || done.load(std::memory_order_relaxed)) {
        events.cancel_wait();
        continue;
      }
      auto wake_up = events.wait(key);
      if (may_leave && leave.load(std::memory_order_relaxed)) {
        if (kFault == Fault::kKeepsWakeUp) wake_up.accept();
        return;
      }
      wake_up.accept();
    }
  };
  crew.add("stays", [&] { work(false); });
  crew.add("may leave", [&] { work(true); });
  crew.add("controller", [&] { leave.store(true, std::memory_order_relaxed); });
  crew.add("notifier", [&] { put(items, events); });
}

// One item, a waiter without limit, and one that goes home when its time is over. A wake-up that
// comes at the last moment must not go home with it.
template <typename Sync, Fault kFault = Fault::kNone>
void a_wake_up_at_the_time_limit_is_not_lost() {
  base::EventCount<Sync> events;
  Counter<Sync> items;
  typename Sync::template Atomic<bool> done{false};
  Crew crew;
  const auto work = [&](bool patient) {
    while (!done.load(std::memory_order_acquire)) {
      if (items.take()) {
        done.store(true, std::memory_order_release);
        events.notify_all();
        return;
      }
      const auto key = events.prepare_wait();
      if (items.any() || done.load(std::memory_order_relaxed)) {
        events.cancel_wait();
        continue;
      }
      if (patient) {
        events.wait(key).accept();
        continue;
      }
      auto wake_up = events.wait_for(key, kLimit);
      if (kFault == Fault::kKeepsWakeUp) wake_up.accept();
      if (!wake_up) return;
      wake_up.accept();
    }
  };
  crew.add("patient", [&] { work(true); });
  crew.add("hurried", [&] { work(false); });
  crew.add("notifier", [&] { put(items, events); });
}

const Registered kEachWaiter({
    .name = "event_count.each",
    .body = each_waiter_gets_its_items<SimSync>,
    .mutants = {{"no fence in waiters", each_waiter_gets_its_items<NoFenceIn<'w'>>},
                {"no fence in notifiers", each_waiter_gets_its_items<NoFenceIn<'n'>>},
                {"no second look", each_waiter_gets_its_items<SimSync, Fault::kNoSecondLook>}},
});
const Registered kBackStop({
    .name = "event_count.back_stop",
    .body = each_waiter_gets_its_items<SimSync, Fault::kNone, true>,
    .mutants = {{"no fences", each_waiter_gets_its_items<NoFences, Fault::kNone, true>},
                {"no second look",
                 each_waiter_gets_its_items<SimSync, Fault::kNoSecondLook, true>}},
});
const Registered kLeave({
    .name = "event_count.leave",
    .body = a_leaving_worker_passes_its_wake_up_on<SimSync>,
    .mutants = {{"no fences", a_leaving_worker_passes_its_wake_up_on<NoFences>},
                {"leaves with the wake-up",
                 a_leaving_worker_passes_its_wake_up_on<SimSync, Fault::kKeepsWakeUp>}},
});
const Registered kTimeLimit({
    .name = "event_count.time_limit",
    .body = a_wake_up_at_the_time_limit_is_not_lost<SimSync>,
    .mutants = {{"no fences", a_wake_up_at_the_time_limit_is_not_lost<NoFences>},
                {"goes home with the wake-up",
                 a_wake_up_at_the_time_limit_is_not_lost<SimSync, Fault::kKeepsWakeUp>}},
    .timeouts_allowed = true,
});

}  // namespace
}  // namespace penstock::explorer
