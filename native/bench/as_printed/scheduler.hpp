#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "penstock/base/cache_line.hpp"

#include "bench/as_printed/free_list.hpp"
#include "bench/as_printed/spsc_enforcer.hpp"
#include "bench/workload/item.hpp"

namespace penstock::bench::as_printed {

// What a thread looks at between two tuples (S10), on a cache line of its own.
struct alignas(base::kCacheLine) ThreadFlags {
  std::atomic<bool> suspended{false};
  std::atomic<bool> shutdown{false};
  std::atomic<bool> ports_closed{false};
};

// The scheduler of Schneider & Wu 2017 as its Figures 3 to 6 print it, tuple at a time: the
// baseline. Only what loses data or stands still otherwise is mended:
//
//   A1  a successful push gives the producer's flag back
//   A4  reSchedule gives a tuple up only at a shutdown, which never comes here, not when ports
//       are closed
//   A5  executing from within reSchedule nests as deep as the graph; it is left as it is, and
//       stacks are large enough
//
// Not mended, because it only costs time: the search for work goes round without pause while
// another thread has the port it saw first (A2). Elasticity is not part of it.
//
// `Graph::execute(port, item, scheduler)` runs what is behind a port and calls push().
template <typename Graph>
class Scheduler {
 public:
  Scheduler(Graph& graph, std::uint32_t ports, std::size_t queue_size)
      : graph_(&graph), reschedule_limit_(static_cast<int>(queue_size / 4)), free_ports_(ports) {
    for (std::uint32_t port = 0; port < ports; ++port) {
      queues_table_.push_back(std::make_unique<SpscEnforcer>(queue_size));
      put_back(port);
    }
  }

  // Figure 4.
  void schedule(const ThreadFlags& flags) {
    Item item;
    std::uint32_t port = 0;
    while (find_work_blocking(item, port, flags)) {
      graph_->execute(port, item, *this);
      SpscEnforcer& queue = *queues_table_[port];
      while (queue.pop(item)) {
        graph_->execute(port, item, *this);
        if (flags.suspended.load(std::memory_order_acquire) || finished(flags)) break;
      }
      queue.cons_unlock();
      put_back(port);
    }
  }

  // Figure 6; for threads of the scheduler and of sources alike.
  void push(std::uint32_t port, const Item& item) {  // NOLINT(misc-no-recursion): A5
    SpscEnforcer& queue = *queues_table_[port];
    if (!queue.push(item)) re_schedule(port, queue, item);
  }

  // After the flags of a thread have changed.
  void unblock() {
    const std::scoped_lock lock(blocked_);
    unblocked_.notify_all();
  }

 private:
  static constexpr std::chrono::microseconds kLongestDelay{10'000};  // S11

  [[nodiscard]] static bool finished(const ThreadFlags& flags) noexcept {
    return flags.shutdown.load(std::memory_order_acquire) ||
           flags.ports_closed.load(std::memory_order_acquire);
  }

  // Figure 5.
  [[nodiscard]] bool find_work_blocking(Item& item, std::uint32_t& port, const ThreadFlags& flags) {
    std::chrono::microseconds delay{1};
    while (!finished(flags)) {
      if (find_work_non_blocking(item, port)) return true;
      block(delay, flags);
      if (delay < kLongestDelay) delay *= 10;
    }
    return false;
  }

  [[nodiscard]] bool find_work_non_blocking(Item& item, std::uint32_t& port) {
    const auto first = free_ports_.pop();
    if (!first) return false;
    if (try_start(*first, item)) {
      port = *first;
      return true;
    }
    put_back(*first);
    while (const auto next = free_ports_.pop()) {
      if (try_start(*next, item)) {
        port = *next;
        return true;
      }
      put_back(*next);
      if (*next == *first) break;
    }
    return false;
  }

  // On success the port's consumer flag is held.
  [[nodiscard]] bool try_start(std::uint32_t port, Item& item) noexcept {
    SpscEnforcer& queue = *queues_table_[port];
    if (!queue.cons_try_lock()) return false;
    if (queue.pop(item)) return true;
    queue.cons_unlock();
    return false;
  }

  // NOLINTNEXTLINE(misc-no-recursion): A5
  void re_schedule(std::uint32_t port, SpscEnforcer& queue, const Item& item) {
    while (!queue.push(item)) {
      if (!queue.cons_try_lock()) continue;
      Item other;
      int processed = 0;
      while (queue.pop(other)) {
        graph_->execute(port, other, *this);
        ++processed;
        if (processed > reschedule_limit_) break;
      }
      queue.cons_unlock();
    }
  }

  void put_back(std::uint32_t port) noexcept {
    while (!free_ports_.push(port)) {
    }
  }

  void block(std::chrono::microseconds delay, const ThreadFlags& flags) {
    std::unique_lock lock(blocked_);
    if (!finished(flags)) unblocked_.wait_for(lock, delay);
  }

  Graph* graph_;
  const int reschedule_limit_;  // S13
  std::vector<std::unique_ptr<SpscEnforcer>> queues_table_;
  FreeList free_ports_;
  std::mutex blocked_;
  std::condition_variable unblocked_;
};

}  // namespace penstock::bench::as_printed
