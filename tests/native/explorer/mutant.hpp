#pragma once

#include <atomic>
#include <type_traits>
#include <utility>

namespace penstock::explorer {

// A deliberate fault of a sync policy. Types are templates over the policy, so a mutated policy
// breaks the very code that is shipped, not a copy of it.
struct Mutation {
  bool no_fences = false;
  bool no_release = false;
  bool no_acquire = false;
  bool no_seq_cst = false;    // acquire and release remain
  bool deaf_flags = false;    // a flag never says that it was taken
  bool torn_updates = false;  // a read-modify-write is a load and a store
};

template <typename Base, Mutation kMutation>
struct Mutant : Base {
  template <typename T>
  class Atomic : public Base::template Atomic<T> {
    using Original = typename Base::template Atomic<T>;
    using Order = std::memory_order;

   public:
    using Original::Original;

    [[nodiscard]] T load(Order order = std::memory_order_seq_cst) const {
      const T value = Original::load(half(weaken(order), std::memory_order_acquire));
      return is_deaf() ? T{} : value;
    }
    void store(T value, Order order = std::memory_order_seq_cst) {
      Original::store(value, half(weaken(order), std::memory_order_release));
    }
    T exchange(T value, Order order = std::memory_order_seq_cst) {
      const T old = Original::exchange(value, weaken(order));
      return is_deaf() ? T{} : old;
    }
    bool compare_exchange_strong(T& expected, T desired, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn_compare_exchange(expected, desired);
      return Original::compare_exchange_strong(expected, desired, weaken(order));
    }
    bool compare_exchange_weak(T& expected, T desired, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn_compare_exchange(expected, desired);
      return Original::compare_exchange_weak(expected, desired, weaken(order));
    }
    T fetch_add(T n, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn([n](T old) { return old + n; });
      return Original::fetch_add(n, weaken(order));
    }
    T fetch_sub(T n, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn([n](T old) { return old - n; });
      return Original::fetch_sub(n, weaken(order));
    }
    T fetch_and(T n, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn([n](T old) { return old & n; });
      return Original::fetch_and(n, weaken(order));
    }
    T fetch_or(T n, Order order = std::memory_order_seq_cst) {
      if constexpr (kMutation.torn_updates) return torn([n](T old) { return old | n; });
      return Original::fetch_or(n, weaken(order));
    }

   private:
    static constexpr bool is_deaf() { return kMutation.deaf_flags && std::is_same_v<T, bool>; }

    template <typename Function>
    T torn(Function function) {
      const T old = Original::load(std::memory_order_seq_cst);
      Original::store(function(old), std::memory_order_seq_cst);
      return old;
    }
    bool torn_compare_exchange(T& expected, T desired) {
      const T old = Original::load(std::memory_order_seq_cst);
      if (old == expected) Original::store(desired, std::memory_order_seq_cst);
      return old == std::exchange(expected, old);
    }

    // A weakened seq_cst may be more than a load or a store alone can have: `own` is what it can.
    static constexpr Order half(Order order, Order own) {
      if (order == std::memory_order_seq_cst || order == own) return order;
      return order == std::memory_order_acq_rel ? own : std::memory_order_relaxed;
    }

    static constexpr Order weaken(Order order) {
      const bool acquire = !kMutation.no_acquire && order != std::memory_order_relaxed &&
                           order != std::memory_order_release;
      const bool release = !kMutation.no_release && order != std::memory_order_relaxed &&
                           order != std::memory_order_acquire;
      if (acquire && release) {
        return kMutation.no_seq_cst && order == std::memory_order_seq_cst
                   ? std::memory_order_acq_rel
                   : order;
      }
      if (acquire) return std::memory_order_acquire;
      return release ? std::memory_order_release : std::memory_order_relaxed;
    }
  };

  static void fence_seq_cst() noexcept {
    if constexpr (!kMutation.no_fences) Base::fence_seq_cst();
  }
};

}  // namespace penstock::explorer
