#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/queue/bounded_mpmc.hpp"

namespace penstock::queue {
namespace {

class BoundedMpmcStress : public testing::TestWithParam<std::size_t> {};

TEST_P(BoundedMpmcStress, every_item_comes_out_once_and_each_producers_items_in_order) {
  constexpr int kProducers = 2;
  constexpr int kConsumers = 2;
  constexpr int kEach = 20'000;
  BoundedMpmc<std::unique_ptr<int>> list(GetParam());
  std::atomic<int> out{0};
  std::vector<std::atomic<int>> seen(static_cast<std::size_t>(kProducers) * kEach);
  std::vector<base::Thread> threads;
  for (int producer = 0; producer < kProducers; ++producer) {
    threads.emplace_back(base::ThreadOptions{.name = "producer"}, [&, producer] {
      for (int i = 0; i < kEach; ++i) {
        auto item = std::make_unique<int>(producer * kEach + i);
        while (!list.try_push(item)) base::RealSync::yield();
      }
    });
  }
  for (int consumer = 0; consumer < kConsumers; ++consumer) {
    threads.emplace_back(base::ThreadOptions{.name = "consumer"}, [&] {
      std::vector<int> last(kProducers, -1);
      while (out.load(std::memory_order_relaxed) < kProducers * kEach) {
        const auto item = list.try_pop();
        if (!item) {
          base::RealSync::yield();
          continue;
        }
        auto& previous = last[static_cast<std::size_t>(**item / kEach)];
        EXPECT_GT(**item, previous);
        previous = **item;
        seen[static_cast<std::size_t>(**item)].fetch_add(1, std::memory_order_relaxed);
        out.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& times : seen) ASSERT_EQ(times.load(), 1);
  EXPECT_FALSE(list.try_pop());
}

INSTANTIATE_TEST_SUITE_P(Capacity, BoundedMpmcStress, testing::Values(1, 2, 64));

}  // namespace
}  // namespace penstock::queue
