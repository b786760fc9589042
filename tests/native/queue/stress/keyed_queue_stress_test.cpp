#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/queue/hybrid_queue.hpp"
#include "penstock/queue/partitioned_queue.hpp"
#include "penstock/queue/reorder_buffer.hpp"

namespace penstock::queue {
namespace {

struct Numbered {
  std::uint64_t serial = 0;
  std::uint64_t place = 0;  // in its partition
};
using Item = std::unique_ptr<Numbered>;

constexpr std::size_t kPartitions = 5;
constexpr std::size_t kThreads = 4;
constexpr std::uint64_t kItems = 20'000;

// Every thread produces when it gets the role and works when there is work; results go through a
// small reorder buffer. Half of the items belong to one partition. All that a role or a partition
// protects is plain.
template <KeyedQueue Queue>
void work_through(Queue& queue) {
  ReorderBuffer<Item> reorder(8);
  std::uint64_t next_in = 0;
  std::uint64_t next_out = 0;
  std::array<std::uint64_t, kPartitions> pushed{};
  std::array<std::uint64_t, kPartitions> worked{};
  std::atomic<bool> ended{false};
  const auto send = [&](Item&& item) noexcept {
    EXPECT_EQ(item->serial, next_out);
    if (++next_out == kItems) ended.store(true, std::memory_order_relaxed);
    item.reset();
  };
  const auto work = [&](std::size_t partition, Item&& given) noexcept {
    Item item = std::move(given);
    const auto serial = item->serial;
    EXPECT_EQ(item->place, worked[partition]++);
    while (!reorder.try_send(serial, item, send)) base::RealSync::yield();
  };
  const auto produce = [&](auto& producer) {
    // Inside the window: with fewer workers than partitions nobody may have to wait for room.
    for (int i = 0; i < 6 && next_in < kItems; ++i, ++next_in) {
      if (next_in - reorder.next_hint() >= reorder.size()) return;
      const std::size_t partition = next_in % 2 == 0 ? 0 : next_in % kPartitions;
      auto item = std::make_unique<Numbered>(Numbered{next_in, pushed[partition]});
      if (!producer.try_push(partition, item)) return;
      ++pushed[partition];
    }
  };
  std::vector<base::Thread> threads;
  for (std::size_t worker = 0; worker < kThreads; ++worker) {
    threads.emplace_back(base::ThreadOptions{.name = "worker"}, [&, worker] {
      for (std::size_t round = worker; !ended.load(std::memory_order_relaxed); ++round) {
        if (auto producer = queue.try_produce()) produce(*producer);
        if (!queue.try_work(round % kPartitions, work)) base::RealSync::yield();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(next_out, kItems);
  EXPECT_EQ(pushed, worked);
}

class KeyedQueueStress : public testing::TestWithParam<std::size_t> {};

TEST_P(KeyedQueueStress, a_hybrid_queue_keeps_the_order_of_every_partition) {
  HybridQueue<Item> queue(GetParam(), kPartitions);
  work_through(queue);
}

TEST_P(KeyedQueueStress, a_partitioned_queue_keeps_the_order_of_every_partition) {
  PartitionedQueue<Item> queue(GetParam(), kPartitions);
  work_through(queue);
}

INSTANTIATE_TEST_SUITE_P(Capacity, KeyedQueueStress, testing::Values(1, 2, 64));

}  // namespace
}  // namespace penstock::queue
