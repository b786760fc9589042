#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "penstock/base/event_count.hpp"
#include "penstock/base/thread.hpp"

namespace penstock::base {
namespace {

constexpr int kWaiters = 4;
constexpr int kNotifiers = 2;
constexpr int kItems = 10'000;  // per notifier

// Items are counted with relaxed operations, so only the event count orders anything.
class Items {
 public:
  void put() { left_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] bool any() const { return left_.load(std::memory_order_relaxed) > 0 || finished(); }
  [[nodiscard]] bool take() {
    int seen = left_.load(std::memory_order_relaxed);
    while (seen > 0) {
      if (left_.compare_exchange_weak(seen, seen - 1, std::memory_order_relaxed)) {
        taken_.fetch_add(1, std::memory_order_relaxed);
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool finished() const {
    return taken_.load(std::memory_order_relaxed) == kNotifiers * kItems;
  }

 private:
  std::atomic<int> left_{0};
  std::atomic<int> taken_{0};
};

template <typename Wait>
void run_out_of_items(Wait wait) {
  EventCount<> events;
  Items items;
  std::vector<Thread> threads;
  for (int i = 0; i < kWaiters; ++i) {
    threads.emplace_back(ThreadOptions{.name = "waiter"}, [&] {
      while (!items.finished()) {
        if (items.take()) continue;
        const auto key = events.prepare_wait();
        if (items.any()) {
          events.cancel_wait();
        } else {
          wait(events, key);
        }
      }
      events.notify_all();
    });
  }
  for (int i = 0; i < kNotifiers; ++i) {
    threads.emplace_back(ThreadOptions{.name = "notifier"}, [&] {
      for (int item = 0; item < kItems; ++item) {
        items.put();
        events.notify_one();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(items.finished());
  EXPECT_EQ(events.waiters_hint(), 0U);
}

TEST(event_count_stress, every_item_is_taken_and_everybody_wakes_up_in_the_end) {
  run_out_of_items([](auto& events, auto key) { events.wait(key).accept(); });
}

TEST(event_count_stress, a_limit_that_passes_does_not_take_a_wake_up_along) {
  run_out_of_items([](auto& events, auto key) {
    events.wait_for(key, std::chrono::microseconds(key % 50)).accept();
  });
}

TEST(event_count_stress, wake_ups_that_are_dropped_reach_somebody_else) {
  run_out_of_items([](auto& events, auto key) {
    auto wake_up = events.wait(key);
    if (key % 3 != 0) wake_up.accept();
  });
}

}  // namespace
}  // namespace penstock::base
