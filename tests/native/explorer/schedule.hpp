#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "explorer/fiber.hpp"
#include "explorer/knowledge.hpp"
#include "explorer/strategy.hpp"

namespace penstock::explorer {

struct SimThread {
  std::size_t id = 0;
  std::string name;
  std::function<void()> body;
  std::unique_ptr<Fiber> fiber;
  bool done = false;
  std::uint32_t joiners = 0;       // a bit for each thread that waits for the end of this one
  const char* waits_in = nullptr;  // for the report of a deadlock
  std::chrono::nanoseconds wakes_at{};
  Knowledge knows;
  Knowledge unacquired;  // read by relaxed loads; known after the next fence
  Knowledge fenced;      // known at the last fence; handed over by relaxed stores
};

struct ScheduleOptions {
  std::uint64_t max_steps = 20'000;
  bool timeouts_allowed = false;
  bool trace = false;
};

// One run of a scenario: threads are fibers of a single real thread, and at each operation of
// the sync policy the strategy chooses who goes on. The scenario itself is thread 0.
//
// When something is wrong the schedule is left where it is: its fibers are never resumed and
// their stacks never unwound, so a Schedule that failed must not be run again.
class Schedule {
 public:
  Schedule() {
    for (auto& thread : threads_) {
      thread.fiber = std::make_unique<Fiber>(kStackBytes, &Schedule::enter);
    }
  }

  // The schedule that is being run: everything simulated belongs to it.
  static Schedule& running() noexcept { return *running_; }

  // Returns false when the schedule failed; failure() then says why.
  bool run(std::uint64_t seed, const ScheduleOptions& options, const std::function<void()>& body) {
    options_ = options;
    strategy_ = Strategy(seed);
    count_ = 0;
    ready_ = 0;
    steps_ = 0;
    rescues_ = 0;
    fingerprint_ = kFingerprintStart;
    now_ = std::chrono::nanoseconds(0);
    seq_cst_time_ = 0;
    fence_view_ = {};
    failure_.clear();
    running_ = this;
    spawn("scenario", body);
    current_ = &threads_[0];
    host_.switch_to(*current_->fiber);
    running_ = nullptr;
    return failure_.empty();
  }

  [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint64_t rescues() const noexcept { return rescues_; }
  [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

  [[nodiscard]] SimThread& current() noexcept { return *current_; }
  [[nodiscard]] Random& random() noexcept { return strategy_.random(); }
  [[nodiscard]] std::chrono::nanoseconds now() const noexcept { return now_; }
  [[nodiscard]] bool tracing() const noexcept { return options_.trace; }

  // Before each operation that other threads can notice. Returns the thread that performs it.
  SimThread& point() {
    SimThread& me = *current_;
    count_step(me);
    const auto next = strategy_.at_step(steps_, me.id, ready_);
    if (next != me.id) go_on_with(next);
    return me;
  }

  void yield() {
    SimThread& me = *current_;
    count_step(me);
    const auto next = strategy_.at_yield(me.id, ready_);
    if (next != me.id) go_on_with(next);
  }

  // Waits for wake(). `where` is shown when nobody is left to call it.
  void block(const char* where) { wait(where, kNever); }

  // False when the limit passed, which happens only when no thread can run at all; where a
  // scenario allows it, sometimes also at any other moment.
  [[nodiscard]] bool block_for(const char* where, std::chrono::nanoseconds limit) {
    if (options_.timeouts_allowed && random().one_in(kEarlyTimeouts)) {
      yield();
      now_ += limit;
      return false;
    }
    wait(where, now_ + limit);
    return current_->wakes_at != kRescued;
  }

  void wake(std::size_t thread) noexcept { ready_ |= 1U << thread; }

  std::size_t spawn(std::string name, std::function<void()> body);
  void join(std::size_t thread);

  // The place in the total order of a sequentially consistent fence.
  void fence_seq_cst() {
    SimThread& me = point();
    me.knows.learn(me.unacquired);
    explorer::join(me.knows.visible, fence_view_);
    me.knows.visible[kSeqCstLane] = ++seq_cst_time_;
    fence_view_ = me.knows.visible;
    me.fenced = me.knows;
  }

  // What a sequentially consistent load may not overlook, besides its own order.
  [[nodiscard]] Clock seq_cst_view(const SimThread& me) const noexcept {
    Clock view = me.knows.visible;
    explorer::join(view, fence_view_);
    view[kSeqCstLane] = seq_cst_time_;
    return view;
  }
  [[nodiscard]] std::uint32_t next_seq_cst_time() noexcept { return ++seq_cst_time_; }

  // Makes schedules that differ in more than their switches count as distinct.
  void note_choice(std::uint64_t choice) noexcept {
    fingerprint_ = (fingerprint_ ^ choice) * 0x9FB21C651E98DF25U;
    fingerprint_ ^= fingerprint_ >> 32U;
  }

  [[noreturn]] void fail(std::string sentence) {
    failure_ = "in thread '" + current_->name + "': " + std::move(sentence);
    current_->fiber->switch_to(host_);
    std::abort();
  }

 private:
  static constexpr std::size_t kStackBytes = std::size_t{128} << 10U;
  static constexpr std::uint64_t kFingerprintStart = 0xCBF29CE484222325U;
  static constexpr std::chrono::nanoseconds kNever = std::chrono::nanoseconds::max();
  static constexpr std::chrono::nanoseconds kRescued{-1};
  static constexpr std::chrono::nanoseconds kStepTime{10};
  static constexpr std::uint32_t kEarlyTimeouts = 4;  // one in so many

  [[noreturn]] static void enter();
  void run_body();

  void count_step(SimThread& me) {
    ++me.knows.happened[me.id];
    ++me.knows.visible[me.id];
    now_ += kStepTime;
    if (++steps_ > options_.max_steps) {
      fail("livelock: no end after " + std::to_string(options_.max_steps) + " steps");
    }
  }

  void go_on_with(std::size_t next) {
    SimThread& from = *current_;
    current_ = &threads_[next];
    note_choice((steps_ << 3U) + next);
    from.fiber->switch_to(*current_->fiber);
  }

  void wait(const char* where, std::chrono::nanoseconds wakes_at);
  void run_another();
  void rescue_earliest();

  inline static Schedule* running_ = nullptr;

  ScheduleOptions options_;
  Strategy strategy_{0};
  Fiber host_;
  std::array<SimThread, kMaxThreads> threads_;
  std::size_t count_ = 0;
  SimThread* current_ = nullptr;
  std::uint32_t ready_ = 0;  // a bit for each thread that can run
  std::uint64_t steps_ = 0;
  std::uint64_t rescues_ = 0;
  std::uint64_t fingerprint_ = kFingerprintStart;
  std::chrono::nanoseconds now_{0};
  std::uint32_t seq_cst_time_ = 0;
  Clock fence_view_{};
  std::string failure_;
};

inline std::size_t Schedule::spawn(std::string name, std::function<void()> body) {
  if (count_ == kMaxThreads)
    fail("a scenario can have at most " + std::to_string(kMaxThreads - 1) +
         " threads besides itself");
  SimThread& child = threads_[count_];
  child.id = count_;
  child.name = std::move(name);
  child.body = std::move(body);
  child.done = false;
  child.joiners = 0;
  child.knows = count_ == 0 ? Knowledge{} : current_->knows;
  child.unacquired = {};
  child.fenced = {};
  child.knows.happened[child.id] = child.knows.visible[child.id] = 1;
  strategy_.on_spawn(child.id);
  wake(child.id);
  return count_++;
}

inline void Schedule::join(std::size_t thread) {
  SimThread& me = point();
  SimThread& target = threads_[thread];
  while (!target.done) {
    target.joiners |= 1U << me.id;
    block("join");
  }
  me.knows.learn(target.knows);
}

// Where every fiber begins, and stays: when its thread has ended, it switches away, and the next
// schedule that needs it finds it there.
inline void Schedule::enter() {
  Fiber::on_entry();
  for (;;) running().run_body();
}

inline void Schedule::run_body() {
  SimThread& me = *current_;
  try {
    me.body();
  } catch (const std::exception& error) {
    fail(std::string("exception: ") + error.what());
  }
  me.body = nullptr;
  me.done = true;
  ready_ = (ready_ | me.joiners) & ~(1U << me.id);
  if (me.id != 0) {
    run_another();
  } else {
    if (ready_ != 0) fail("the scenario ended before its threads did");
    me.fiber->switch_to(host_);
  }
}

inline void Schedule::wait(const char* where, std::chrono::nanoseconds wakes_at) {
  SimThread& me = *current_;
  me.waits_in = where;
  me.wakes_at = wakes_at;
  ready_ &= ~(1U << me.id);
  run_another();
}

inline void Schedule::run_another() {
  if (ready_ == 0) rescue_earliest();
  const auto next = strategy_.at_block(ready_);
  if (next != current_->id) go_on_with(next);
}

// Nobody can run: time passes until the first limit. A program that needs this to go on has
// lost a wake-up, unless its scenario is about time limits.
inline void Schedule::rescue_earliest() {
  SimThread* earliest = nullptr;
  std::string waiting;
  for (std::size_t i = 0; i < count_; ++i) {
    SimThread& thread = threads_[i];
    if (thread.done) continue;
    waiting += (waiting.empty() ? "'" : ", '") + thread.name + "' in " + thread.waits_in;
    if (thread.wakes_at == kNever) continue;
    if (earliest == nullptr || thread.wakes_at < earliest->wakes_at) earliest = &thread;
  }
  if (earliest == nullptr) fail("deadlock (a lost wake-up?): every thread waits, " + waiting);
  ++rescues_;
  if (!options_.timeouts_allowed) fail("only a time limit could go on: " + waiting);
  now_ = std::max(now_, earliest->wakes_at);
  earliest->wakes_at = kRescued;
  wake(earliest->id);
}

}  // namespace penstock::explorer
