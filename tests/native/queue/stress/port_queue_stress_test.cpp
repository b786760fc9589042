#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/queue/port_queue.hpp"

namespace penstock::queue {
namespace {

using Item = std::unique_ptr<int>;

class PortQueueStress : public testing::TestWithParam<std::size_t> {};

// All threads do everything: whoever gets a role goes on where the last holder stopped. What is
// numbered and checked under a role is plain, so the roles are tested with the queue.
TEST_P(PortQueueStress, every_item_arrives_once_and_in_order_whoever_holds_the_roles) {
  constexpr int kThreads = 4;
  constexpr int kItems = 40'000;
  PortQueue<Item> port(GetParam());
  int next_in = 0;
  int next_out = 0;
  std::atomic<int> arrived{0};
  std::vector<base::Thread> threads;
  const auto produce = [&](PortQueue<Item>::Producer& producer, bool in_place) {
    std::array<Item, 5> items;
    const auto wanted =
        std::min<std::size_t>(items.size(), static_cast<std::size_t>(kItems - next_in));
    std::size_t moved = 0;
    if (in_place) {
      const auto slots = producer.reserve(wanted);
      for (auto& slot : slots) slot = std::make_unique<int>(next_in + static_cast<int>(moved++));
      producer.commit(moved);
    } else {
      for (std::size_t i = 0; i < wanted; ++i) {
        items[i] = std::make_unique<int>(next_in + static_cast<int>(i));
      }
      moved = producer.push_some(std::span(items).first(wanted));
    }
    next_in += static_cast<int>(moved);
  };
  const auto consume = [&](PortQueue<Item>::Consumer& consumer, bool in_place) {
    int count = 0;
    if (in_place) {
      const auto run = consumer.front_run(7);
      for (const auto& item : run) EXPECT_EQ(*item, next_out + count++);
      consumer.release(run.size());
    } else {
      while (const auto item = consumer.try_pop()) EXPECT_EQ(**item, next_out + count++);
    }
    next_out += count;
    arrived.fetch_add(count, std::memory_order_relaxed);
  };
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(base::ThreadOptions{.name = "worker"}, [&, i] {
      for (int round = i; arrived.load(std::memory_order_relaxed) < kItems; ++round) {
        if (auto producer = port.try_produce()) produce(*producer, round % 2 == 0);
        if (auto consumer = port.try_consume()) consume(*consumer, round % 3 == 0);
        static_cast<void>(port.size_hint());
        base::RealSync::yield();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(next_in, kItems);
  EXPECT_EQ(next_out, kItems);
  EXPECT_EQ(port.size_hint(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Capacity, PortQueueStress, testing::Values(1, 2, 64));

}  // namespace
}  // namespace penstock::queue
