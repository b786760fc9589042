#include "penstock/queue/hybrid_queue.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace penstock::queue {
namespace {

template <typename Queue>
void push(Queue& queue, std::size_t partition, int item) {
  ASSERT_TRUE(queue.try_produce()->try_push(partition, item));
}

TEST(hybrid_queue, work_is_taken_in_the_order_of_arrival_across_partitions) {
  HybridQueue<int> queue(8, 3);
  std::vector<int> done;
  const auto work = [&done](std::size_t, int&& item) noexcept { done.push_back(item); };
  int item = 0;
  for (const std::size_t partition : {2U, 0U, 2U, 1U, 0U}) push(queue, partition, item++);
  for (int i = 0; i < item; ++i) EXPECT_TRUE(queue.try_work(0, work));
  EXPECT_EQ(done, (std::vector{0, 1, 2, 3, 4}));
}

TEST(hybrid_queue, an_item_whose_partition_is_being_worked_on_is_left_to_the_one_who_is_at_it) {
  HybridQueue<int> queue(8, 2);
  for (const int item : {0, 1, 2}) push(queue, 0, item);
  push(queue, 1, 3);
  std::vector<int> done;
  const auto others_work = [&done](std::size_t, int&& item) noexcept { done.push_back(item); };
  EXPECT_TRUE(queue.try_work(0, [&](std::size_t, int&& item) noexcept {
    // While the first one is worked on, another worker comes along for all the rest.
    for (int i = 0; item == 0 && i < 3; ++i) EXPECT_TRUE(queue.try_work(0, others_work));
    done.push_back(item);
  }));
  EXPECT_EQ(done, (std::vector{3, 0, 1, 2})) << "the other worker did only partition 1";
  EXPECT_FALSE(queue.try_work(0, others_work));
}

TEST(hybrid_queue, a_hot_partition_can_use_all_of_the_capacity) {
  HybridQueue<int> queue(64, 100);
  for (int item = 0; item < 64; ++item) push(queue, 17, item);
  int item = 64;
  EXPECT_FALSE(queue.try_produce()->try_push(17, item));
  EXPECT_FALSE(queue.try_produce()->try_push(18, item));
  EXPECT_TRUE(queue.try_work(0, [](std::size_t, int&&) noexcept {}));
  EXPECT_TRUE(queue.try_produce()->try_push(18, item));
}

TEST(hybrid_queue, holds_exactly_as_many_items_as_its_capacity_says) {
  for (const int capacity : {1, 5, 64}) {
    HybridQueue<int> queue(static_cast<std::size_t>(capacity), 3);
    for (int item = 0; item < capacity; ++item)
      push(queue, static_cast<std::size_t>(item) % 3, item);
    int item = 0;
    EXPECT_FALSE(queue.try_produce()->try_push(0, item)) << capacity;
  }
}

TEST(hybrid_queue, an_item_that_was_worked_on_is_not_held_back) {
  HybridQueue<std::shared_ptr<int>> queue(4, 1);
  const auto kept = std::make_shared<int>(1);
  auto copy = kept;
  ASSERT_TRUE(queue.try_produce()->try_push(0, copy));
  EXPECT_TRUE(queue.try_work(0, [](std::size_t, std::shared_ptr<int>&&) noexcept {}));
  EXPECT_EQ(kept.use_count(), 1);
}

TEST(hybrid_queue, has_a_hundred_partitions_unless_told_otherwise) {
  EXPECT_EQ(HybridQueue<int>(4).partitions(), 100U);
}

TEST(hybrid_queue_death, a_partition_that_is_not_there_is_a_bug_of_the_caller) {
  HybridQueue<int> queue(4, 2);
  int item = 0;
  EXPECT_DEATH(static_cast<void>(queue.try_produce()->try_push(2, item)), "one of the queue's");
}

}  // namespace
}  // namespace penstock::queue
