#include "penstock/queue/keyed_queue.hpp"

#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include "penstock/queue/hybrid_queue.hpp"
#include "penstock/queue/partitioned_queue.hpp"

namespace penstock::queue {
namespace {

template <typename Queue>
class EveryKeyedQueue : public testing::Test {};

using Item = std::unique_ptr<int>;
using Queues = testing::Types<HybridQueue<Item>, PartitionedQueue<Item>>;
TYPED_TEST_SUITE(EveryKeyedQueue, Queues);

TYPED_TEST(EveryKeyedQueue, a_second_producer_is_turned_away) {
  TypeParam queue(4, 2);
  auto producer = queue.try_produce();
  EXPECT_TRUE(producer);
  EXPECT_FALSE(queue.try_produce());
  producer.reset();
  EXPECT_TRUE(queue.try_produce());
}

TYPED_TEST(EveryKeyedQueue, an_empty_queue_has_no_work) {
  TypeParam queue(4, 2);
  EXPECT_FALSE(queue.try_work(0, [](std::size_t, Item&&) noexcept { FAIL(); }));
}

TYPED_TEST(EveryKeyedQueue, an_item_that_does_not_fit_is_left_with_the_caller) {
  TypeParam queue(1, 1);
  auto accepted = std::make_unique<int>(1);
  auto refused = std::make_unique<int>(2);
  auto producer = *queue.try_produce();
  EXPECT_TRUE(producer.try_push(0, accepted));
  EXPECT_FALSE(producer.try_push(0, refused));
  EXPECT_EQ(accepted, nullptr);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(*refused, 2);
}

TYPED_TEST(EveryKeyedQueue, has_as_many_partitions_as_asked_for_but_at_least_one) {
  EXPECT_EQ(TypeParam(4, 100).partitions(), 100U);
  EXPECT_EQ(TypeParam(4, 0).partitions(), 1U);
}

TYPED_TEST(EveryKeyedQueue, items_of_a_partition_are_worked_on_in_their_order_over_many_laps) {
  constexpr std::size_t kPartitions = 5;
  constexpr int kItems = 5'000;
  TypeParam queue(8, kPartitions);
  std::mt19937 random(3);
  std::vector<int> next(kPartitions);
  std::vector<int> pushed(kPartitions);
  int worked = 0;
  const auto work = [&](std::size_t partition, Item&& item) noexcept {
    EXPECT_EQ(*item, next[partition]++);
    ++worked;
  };
  for (int i = 0; i < kItems; ++i) {
    const auto partition = random() % kPartitions;
    auto item = std::make_unique<int>(pushed[partition]++);
    while (!queue.try_produce()->try_push(partition, item)) {
      ASSERT_TRUE(queue.try_work(random() % kPartitions, work));
    }
  }
  while (queue.try_work(0, work)) {
  }
  EXPECT_EQ(worked, kItems);
  EXPECT_EQ(next, pushed);
}

}  // namespace
}  // namespace penstock::queue
