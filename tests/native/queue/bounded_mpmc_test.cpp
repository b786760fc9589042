#include "penstock/queue/bounded_mpmc.hpp"

#include <cstddef>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>

namespace penstock::queue {
namespace {

TEST(bounded_mpmc, a_refused_item_is_left_with_the_caller) {
  BoundedMpmc<std::unique_ptr<int>> list(1);
  auto accepted = std::make_unique<int>(1);
  auto refused = std::make_unique<int>(2);
  EXPECT_TRUE(list.try_push(accepted));
  EXPECT_FALSE(list.try_push(refused));
  EXPECT_EQ(accepted, nullptr);
  EXPECT_NE(refused, nullptr);
  EXPECT_EQ(**list.try_pop(), 1);
  EXPECT_FALSE(list.try_pop());
}

TEST(bounded_mpmc, holds_as_many_as_its_capacity_says) {
  for (const std::size_t asked : {0U, 1U, 2U, 3U, 100U}) {
    BoundedMpmc<int> list(asked);
    EXPECT_GE(list.capacity(), asked);
    int item = 0;
    for (std::size_t i = 0; i < list.capacity(); ++i) ASSERT_TRUE(list.try_push(item));
    EXPECT_FALSE(list.try_push(item));
  }
}

TEST(bounded_mpmc, a_popped_slot_holds_nothing_back) {
  const auto item = std::make_shared<int>(7);
  BoundedMpmc<std::shared_ptr<int>> list(4);
  auto copy = item;
  ASSERT_TRUE(list.try_push(copy));
  EXPECT_EQ(list.try_pop(), item);
  EXPECT_EQ(item.use_count(), 1);
}

TEST(bounded_mpmc, behaves_as_a_bounded_deque_over_many_laps) {
  std::mt19937 random(31);
  for (const std::size_t capacity : {1U, 2U, 8U}) {
    BoundedMpmc<int> list(capacity);
    std::deque<int> oracle;
    for (int step = 0; step < 5'000; ++step) {
      if (random() % 2 == 0) {
        int item = step;
        ASSERT_EQ(list.try_push(item), oracle.size() < capacity);
        if (oracle.size() < capacity) oracle.push_back(step);
      } else {
        const auto item = list.try_pop();
        ASSERT_EQ(item.has_value(), !oracle.empty());
        if (!item) continue;
        ASSERT_EQ(*item, oracle.front());
        oracle.pop_front();
      }
    }
  }
}

}  // namespace
}  // namespace penstock::queue
