#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "penstock/base/sync.hpp"

#include "explorer/schedule.hpp"
#include "explorer/sim_atomic.hpp"
#include "explorer/trace.hpp"

namespace penstock::explorer {

// A field that is not atomic. Two accesses, one of them a write, without happens-before between
// them end the schedule, whether or not this schedule let them collide.
template <typename T>
class SimPlain {
 public:
  SimPlain() : SimPlain(T{}) {}
  explicit SimPlain(T value) : value_(std::move(value)) { note_write(me()); }
  SimPlain(const SimPlain&) = delete;
  SimPlain& operator=(const SimPlain&) = delete;

  [[nodiscard]] const T& read() const {
    const SimThread& reader = me();
    check_last_write(reader);
    read_at_[reader.id] = reader.knows.happened[reader.id];
    return value_;
  }

  [[nodiscard]] T& write() {
    const SimThread& writer = me();
    check_last_write(writer);
    for (std::size_t i = 0; i < kMaxThreads; ++i) {
      if (read_at_[i] > writer.knows.happened[i]) {
        Schedule::running().fail("data race: a write that is not ordered after a read");
      }
    }
    note_write(writer);
    return value_;
  }

 private:
  // Each access is a moment of its own, later than whatever the thread has handed over so far.
  static SimThread& me() {
    SimThread& thread = Schedule::running().current();
    ++thread.knows.happened[thread.id];
    ++thread.knows.visible[thread.id];
    return thread;
  }

  void note_write(const SimThread& writer) {
    writer_ = writer.id;
    written_at_ = writer.knows.happened[writer.id];
  }

  void check_last_write(const SimThread& thread) const {
    if (written_at_ > thread.knows.happened[writer_]) {
      Schedule::running().fail("data race: an access that is not ordered after a write");
    }
  }

  T value_;
  std::size_t writer_ = 0;
  std::uint32_t written_at_ = 0;
  mutable Clock read_at_{};
};

class SimMutex {
 public:
  void lock() {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    while (locked_) {
      waiting_ |= 1U << me.id;
      schedule.block("lock");
    }
    take(me);
  }

  [[nodiscard]] bool try_lock() {
    SimThread& me = Schedule::running().point();
    if (locked_) return false;
    take(me);
    return true;
  }

  void unlock() {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    trace("unlock");
    handed_over_ = me.knows;
    locked_ = false;
    for (std::size_t i = 0; i < kMaxThreads; ++i) {
      if ((waiting_ & (1U << i)) != 0) schedule.wake(i);
    }
    waiting_ = 0;
  }

 private:
  void take(SimThread& me) {
    trace("lock");
    locked_ = true;
    me.knows.learn(handed_over_);
  }

  bool locked_ = false;
  std::uint32_t waiting_ = 0;
  Knowledge handed_over_;
};

class SimParker {
 public:
  void park() {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    trace("park");
    while (!token_) {
      parked_ = me.id;
      schedule.block("park");
    }
    take(me);
  }

  [[nodiscard]] bool park_for(std::chrono::nanoseconds limit) {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    trace("park_for");
    if (!token_) {
      parked_ = me.id;
      if (!schedule.block_for("park_for", limit) && !token_) {
        parked_.reset();
        return false;
      }
    }
    take(me);
    return true;
  }

  void unpark() {
    Schedule& schedule = Schedule::running();
    const SimThread& me = schedule.point();
    trace("unpark");
    token_ = true;
    handed_over_.learn(me.knows);
    if (parked_) schedule.wake(*parked_);
  }

 private:
  void take(SimThread& me) {
    token_ = false;
    parked_.reset();
    me.knows.learn(handed_over_);
  }

  bool token_ = false;
  std::optional<std::size_t> parked_;
  Knowledge handed_over_;
};

class SimThreadHandle {
 public:
  SimThreadHandle() = default;
  template <std::invocable Body>
  SimThreadHandle(base::ThreadOptions options, Body body)
      : id_(Schedule::running().spawn(std::move(options.name), std::move(body))) {}
  SimThreadHandle(SimThreadHandle&& other) noexcept : id_(std::exchange(other.id_, {})) {}
  SimThreadHandle& operator=(SimThreadHandle&& other) noexcept {
    if (this != &other) {
      join();
      id_ = std::exchange(other.id_, {});
    }
    return *this;
  }
  SimThreadHandle(const SimThreadHandle&) = delete;
  SimThreadHandle& operator=(const SimThreadHandle&) = delete;
  ~SimThreadHandle() { join(); }

  void join() {
    if (const auto id = std::exchange(id_, {})) Schedule::running().join(*id);
  }
  [[nodiscard]] bool joinable() const noexcept { return id_.has_value(); }

 private:
  std::optional<std::size_t> id_;
};

// The sync policy inside the explorer.
struct SimSync {
  template <typename T>
  using Atomic = SimAtomic<T>;
  template <typename T>
  using Plain = SimPlain<T>;
  using Mutex = SimMutex;
  using Parker = SimParker;
  using Thread = SimThreadHandle;

  template <typename T>
  [[nodiscard]] static const T& read(const SimPlain<T>& field) {
    return field.read();
  }
  template <typename T>
  [[nodiscard]] static T& write(SimPlain<T>& field) {
    return field.write();
  }

  static void fence_seq_cst() {
    Schedule::running().fence_seq_cst();
    trace("fence");
  }
  static void yield() { Schedule::running().yield(); }
  [[nodiscard]] static std::chrono::nanoseconds now() { return Schedule::running().now(); }
  [[nodiscard]] static std::uint64_t random() { return Schedule::running().random().next(); }
};

static_assert(base::SyncPolicy<SimSync>);

}  // namespace penstock::explorer
