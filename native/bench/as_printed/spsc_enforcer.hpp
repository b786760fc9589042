#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "penstock/base/cache_line.hpp"

#include "bench/workload/item.hpp"

namespace penstock::bench::as_printed {

// Figure 3: a ring for one producer and one consumer, into whose slots tuples are copied, and two
// flags that let any thread become one of them.
class SpscEnforcer {
 public:
  explicit SpscEnforcer(std::size_t capacity) : slots_(capacity + 1) {}

  [[nodiscard]] bool cons_try_lock() noexcept {
    bool expected = false;
    return cons_locked_.compare_exchange_strong(expected, true, std::memory_order_acquire);
  }
  void cons_unlock() noexcept { cons_locked_.store(false, std::memory_order_release); }

  // A1: as printed a successful push keeps the producer's flag for ever.
  [[nodiscard]] bool push(const Item& item) noexcept {
    bool expected = false;
    if (!prod_locked_.compare_exchange_strong(expected, true, std::memory_order_acquire)) {
      return false;
    }
    const bool pushed = push_locked(item);
    prod_locked_.store(false, std::memory_order_release);
    return pushed;
  }

  // For whoever holds the consumer's flag.
  [[nodiscard]] bool pop(Item& item) noexcept {
    const auto head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    item = slots_[head];
    head_.store(after(head), std::memory_order_release);
    return true;
  }

 private:
  [[nodiscard]] std::size_t after(std::size_t slot) const noexcept {
    return slot + 1 == slots_.size() ? 0 : slot + 1;
  }

  [[nodiscard]] bool push_locked(const Item& item) noexcept {
    const auto tail = tail_.load(std::memory_order_relaxed);
    if (after(tail) == head_.load(std::memory_order_acquire)) return false;
    slots_[tail] = item;
    tail_.store(after(tail), std::memory_order_release);
    return true;
  }

  std::vector<Item> slots_;
  alignas(base::kCacheLine) std::atomic<std::size_t> head_{0};
  alignas(base::kCacheLine) std::atomic<std::size_t> tail_{0};
  alignas(base::kCacheLine) std::atomic<bool> prod_locked_{false};
  alignas(base::kCacheLine) std::atomic<bool> cons_locked_{false};
};

}  // namespace penstock::bench::as_printed
