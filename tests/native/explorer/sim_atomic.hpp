#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "explorer/schedule.hpp"
#include "explorer/trace.hpp"

namespace penstock::explorer {

[[nodiscard]] constexpr bool acquires(std::memory_order order) noexcept {
  return order != std::memory_order_relaxed && order != std::memory_order_release;
}
[[nodiscard]] constexpr bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

// std::atomic as the C++ memory model has it, not as one processor does: a load may return any
// value that is not yet overwritten as far as the loading thread can know.
//
// The last stores are kept in modification order, each with what it hands over and with the
// first moment at which each thread touched it. Knowing of such a moment (a read counts as well
// as the write) rules out every older store. Two things are left out: loads of stores that are
// still to come, and modification orders other than the order of execution.
template <typename T>
  requires std::is_trivially_copyable_v<T>
class SimAtomic {
 public:
  SimAtomic() noexcept : SimAtomic(T{}) {}
  // NOLINTNEXTLINE(google-explicit-constructor): as std::atomic.
  SimAtomic(T value) noexcept { stores_[0].value = value; }
  SimAtomic(const SimAtomic&) = delete;
  SimAtomic& operator=(const SimAtomic&) = delete;

  [[nodiscard]] T load(std::memory_order order = std::memory_order_seq_cst) const {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    Store& chosen = choose(schedule, me, order);
    learn(me, chosen, order);
    touch(schedule, me, chosen, order);
    trace_operation("load", this, order, chosen.value);
    return chosen.value;
  }

  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    append(schedule, me, value, order, releases(order) ? me.knows : me.fenced);
    trace_operation("store", this, order, value);
  }

  T exchange(T value, std::memory_order order = std::memory_order_seq_cst) {
    return modify("exchange", order, [value](T) { return value; });
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure) {
    Schedule& schedule = Schedule::running();
    return compare_exchange(schedule, schedule.point(), expected, desired, success, failure);
  }
  bool compare_exchange_strong(T& expected, T desired,
                               std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, order, failure_order(order));
  }

  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    if (schedule.random().one_in(kSpuriousFailure)) {
      schedule.note_choice(kSpuriousFailure);
      return refuse(schedule, me, expected, failure);
    }
    return compare_exchange(schedule, me, expected, desired, success, failure);
  }
  bool compare_exchange_weak(T& expected, T desired,
                             std::memory_order order = std::memory_order_seq_cst) {
    return compare_exchange_weak(expected, desired, order, failure_order(order));
  }

  T fetch_add(T n, std::memory_order order = std::memory_order_seq_cst) {
    return modify("fetch_add", order, [n](T old) { return static_cast<T>(old + n); });
  }
  T fetch_sub(T n, std::memory_order order = std::memory_order_seq_cst) {
    return modify("fetch_sub", order, [n](T old) { return static_cast<T>(old - n); });
  }
  T fetch_and(T n, std::memory_order order = std::memory_order_seq_cst) {
    return modify("fetch_and", order, [n](T old) { return static_cast<T>(old & n); });
  }
  T fetch_or(T n, std::memory_order order = std::memory_order_seq_cst) {
    return modify("fetch_or", order, [n](T old) { return static_cast<T>(old | n); });
  }
  T fetch_xor(T n, std::memory_order order = std::memory_order_seq_cst) {
    return modify("fetch_xor", order, [n](T old) { return static_cast<T>(old ^ n); });
  }

 private:
  struct Store {
    T value{};
    Knowledge released{};
    Clock touched_at{};  // by thread, and in the seq_cst lane by a seq_cst operation; 0 = never
  };

  static constexpr std::uint32_t kDepth = 8;
  static constexpr std::uint32_t kSpuriousFailure = 8;
  static constexpr std::uint32_t kStaleReads = 4;  // one in so many looks for an older store

  static constexpr std::memory_order failure_order(std::memory_order order) noexcept {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    return order == std::memory_order_release ? std::memory_order_relaxed : order;
  }

  [[nodiscard]] Store& at(std::uint32_t index) const noexcept { return stores_[index % kDepth]; }
  [[nodiscard]] Store& latest() const noexcept { return at(count_ - 1); }

  [[nodiscard]] static bool is_known(const Store& store, const Clock& view) noexcept {
    bool known = false;
    for (std::size_t i = 0; i < view.size(); ++i) {
      known |= store.touched_at[i] - 1U < view[i];  // never touched wraps to the largest number
    }
    return known;
  }

  // The oldest store that may still be read.
  [[nodiscard]] std::uint32_t floor(const Clock& view) const noexcept {
    const std::uint32_t oldest = count_ > kDepth ? count_ - kDepth : 0;
    std::uint32_t index = count_ - 1;
    while (index > oldest && !is_known(at(index), view)) --index;
    return index;
  }

  [[nodiscard]] Store& choose(Schedule& schedule, const SimThread& me,
                              std::memory_order order) const {
    if (count_ == 1) return at(0);
    const auto lowest =
        floor(order == std::memory_order_seq_cst ? schedule.seq_cst_view(me) : me.knows.visible);
    const auto choices = count_ - lowest;
    if (choices == 1 || !schedule.random().one_in(kStaleReads)) return latest();
    const auto index = lowest + schedule.random().below(choices);
    schedule.note_choice(std::uint64_t{index} << 32U);
    return at(index);
  }

  static void learn(SimThread& me, const Store& from, std::memory_order order) noexcept {
    (acquires(order) ? me.knows : me.unacquired).learn(from.released);
  }

  static void touch(Schedule& schedule, const SimThread& me, Store& store,
                    std::memory_order order) noexcept {
    auto& mine = store.touched_at[me.id];
    if (mine == 0) mine = me.knows.happened[me.id];
    if (order != std::memory_order_seq_cst) return;
    const auto time = schedule.next_seq_cst_time();
    if (store.touched_at[kSeqCstLane] == 0) store.touched_at[kSeqCstLane] = time;
  }

  void append(Schedule& schedule, const SimThread& me, T value, std::memory_order order,
              const Knowledge& released) {
    Store& store = at(count_++);
    store.value = value;
    store.released = released;
    store.touched_at = {};
    touch(schedule, me, store, order);
  }

  // Reads the latest store, as every read-modify-write must, and hands on what it released.
  void replace(Schedule& schedule, SimThread& me, T value, std::memory_order order) {
    const Knowledge inherited = latest().released;
    learn(me, latest(), order);
    Knowledge released = releases(order) ? me.knows : me.fenced;
    released.learn(inherited);
    append(schedule, me, value, order, released);
  }

  template <typename Function>
  T modify(const char* name, std::memory_order order, Function function) {
    Schedule& schedule = Schedule::running();
    SimThread& me = schedule.point();
    const T old = latest().value;
    replace(schedule, me, function(old), order);
    trace_operation(name, this, order, latest().value);
    return old;
  }

  bool compare_exchange(Schedule& schedule, SimThread& me, T& expected, T desired,
                        std::memory_order success, std::memory_order failure) {
    if (latest().value != expected) return refuse(schedule, me, expected, failure);
    replace(schedule, me, desired, success);
    trace_operation("compare_exchange", this, success, desired);
    return true;
  }

  bool refuse(Schedule& schedule, SimThread& me, T& expected, std::memory_order order) {
    learn(me, latest(), order);
    touch(schedule, me, latest(), order);
    trace_operation("refused compare_exchange", this, order, latest().value);
    expected = latest().value;
    return false;
  }

  mutable std::array<Store, kDepth> stores_;
  std::uint32_t count_ = 1;
};

}  // namespace penstock::explorer
