#include "penstock/queue/partitioned_queue.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace penstock::queue {
namespace {

void push(PartitionedQueue<int>& queue, std::size_t partition, int item) {
  ASSERT_TRUE(queue.try_produce()->try_push(partition, item));
}

TEST(partitioned_queue, a_worker_looks_at_its_own_partition_first_and_then_at_others) {
  PartitionedQueue<int> queue(8, 3);
  push(queue, 0, 10);
  push(queue, 2, 12);
  std::vector<int> done;
  const auto work = [&done](std::size_t, int&& item) noexcept { done.push_back(item); };
  EXPECT_TRUE(queue.try_work(2, work));
  EXPECT_EQ(done, (std::vector{12}));
  EXPECT_TRUE(queue.try_work(2, work));
  EXPECT_EQ(done, (std::vector{12, 10}));
}

TEST(partitioned_queue, a_partition_that_is_being_worked_on_is_passed_by) {
  PartitionedQueue<int> queue(8, 2);
  push(queue, 0, 10);
  push(queue, 0, 11);
  EXPECT_TRUE(queue.try_work(0, [&](std::size_t, int&&) noexcept {
    EXPECT_FALSE(queue.try_work(0, [](std::size_t, int&&) noexcept { FAIL(); }));
  }));
}

TEST(partitioned_queue, a_visit_ends_after_so_many_items) {
  PartitionedQueue<int> queue(8, 1, 2);
  for (const int item : {0, 1, 2}) push(queue, 0, item);
  int done = 0;
  const auto work = [&done](std::size_t, int&&) noexcept { ++done; };
  EXPECT_TRUE(queue.try_work(0, work));
  EXPECT_EQ(done, 2);
  EXPECT_TRUE(queue.try_work(0, work));
  EXPECT_EQ(done, 3);
}

TEST(partitioned_queue, a_full_partition_leaves_room_in_the_others) {
  PartitionedQueue<int> queue(1, 2);
  push(queue, 0, 10);
  int item = 11;
  EXPECT_FALSE(queue.try_produce()->try_push(0, item));
  EXPECT_TRUE(queue.try_produce()->try_push(1, item));
}

TEST(partitioned_queue_death, a_partition_that_is_not_there_is_a_bug_of_the_caller) {
  PartitionedQueue<int> queue(4, 2);
  int item = 0;
  EXPECT_DEATH(static_cast<void>(queue.try_produce()->try_push(2, item)), "one of the queue's");
}

}  // namespace
}  // namespace penstock::queue
