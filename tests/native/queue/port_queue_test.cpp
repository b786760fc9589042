#include "penstock/queue/port_queue.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace penstock::queue {
namespace {

struct ThrowsWhenMoved {
  ThrowsWhenMoved() = default;
  ThrowsWhenMoved(ThrowsWhenMoved&&) noexcept(false) {}
};
static_assert(!Queueable<ThrowsWhenMoved>);
static_assert(!Queueable<int&>);
static_assert(Queueable<std::unique_ptr<int>>);

TEST(port_queue, a_second_producer_or_consumer_is_turned_away) {
  PortQueue<int> port(4);
  auto producer = port.try_produce();
  EXPECT_TRUE(producer);
  EXPECT_FALSE(port.try_produce());
  const auto consumer = port.try_consume();
  EXPECT_TRUE(consumer) << "the other end is independent";
  EXPECT_FALSE(port.try_consume());
  producer.reset();
  EXPECT_TRUE(port.try_produce());
}

TEST(port_queue, a_refused_item_is_left_with_the_caller) {
  PortQueue<std::unique_ptr<int>> port(1);
  auto producer = *port.try_produce();
  auto accepted = std::make_unique<int>(1);
  auto refused = std::make_unique<int>(2);
  EXPECT_TRUE(producer.try_push(accepted));
  EXPECT_FALSE(producer.try_push(refused));
  EXPECT_EQ(accepted, nullptr);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(*refused, 2);
}

TEST(port_queue, a_run_that_does_not_fit_is_taken_from_the_front) {
  PortQueue<std::unique_ptr<int>> port(2);
  std::vector<std::unique_ptr<int>> items;
  for (int i = 0; i < 3; ++i) items.push_back(std::make_unique<int>(i));
  EXPECT_EQ(port.try_produce()->push_some(items), 2U);
  EXPECT_FALSE(items[0] || items[1]);
  EXPECT_TRUE(items[2]);
  EXPECT_EQ(port.try_produce()->push_some({}), 0U);
}

TEST(port_queue, capacity_is_rounded_up_to_a_power_of_two) {
  for (const auto& [asked, given] :
       {std::pair<std::size_t, std::size_t>{0, 1}, {1, 1}, {2, 2}, {3, 4}, {1000, 1024}}) {
    PortQueue<int> port(asked);
    EXPECT_EQ(port.capacity(), given);
    auto producer = *port.try_produce();
    for (int item = 0; item < static_cast<int>(given); ++item) ASSERT_TRUE(producer.try_push(item));
    int one_more = 0;
    EXPECT_FALSE(producer.try_push(one_more));
    EXPECT_EQ(port.size_hint(), given);
  }
}

TEST(port_queue, what_is_reserved_is_not_visible_before_it_is_committed) {
  PortQueue<int> port(4);
  auto producer = *port.try_produce();
  auto consumer = *port.try_consume();
  const auto slots = producer.reserve(3);
  ASSERT_EQ(slots.size(), 3U);
  slots[0] = 10;
  slots[1] = 11;
  EXPECT_TRUE(consumer.front_run().empty());
  producer.commit(2);
  EXPECT_EQ(port.size_hint(), 2U);
  EXPECT_EQ(consumer.try_pop(), 10);
  EXPECT_EQ(consumer.try_pop(), 11);
  EXPECT_FALSE(consumer.try_pop());
}

TEST(port_queue, items_in_use_keep_their_slots_until_they_are_released) {
  PortQueue<int> port(2);
  auto producer = *port.try_produce();
  auto consumer = *port.try_consume();
  std::array<int, 2> items{1, 2};
  EXPECT_EQ(producer.push_some(items), 2U);
  EXPECT_EQ(consumer.front_run().size(), 2U);
  EXPECT_TRUE(producer.reserve().empty());
  consumer.release(1);
  EXPECT_EQ(producer.reserve().size(), 1U);
  EXPECT_EQ(consumer.front_run().front(), 2);
}

TEST(port_queue, a_run_ends_where_the_ring_does) {
  PortQueue<int> port(4);
  auto producer = *port.try_produce();
  auto consumer = *port.try_consume();
  std::array<int, 3> items{0, 1, 2};
  EXPECT_EQ(producer.push_some(items), 3U);
  EXPECT_EQ(consumer.front_run(2).size(), 2U);
  consumer.release(2);
  EXPECT_EQ(producer.reserve().size(), 1U);
  EXPECT_EQ(producer.push_some(items), 3U) << "moving items in does go round";
  EXPECT_EQ(consumer.front_run().size(), 1U) << "seen so far";
  consumer.release(1);
  EXPECT_EQ(consumer.front_run().size(), 1U) << "up to the end of the ring";
  consumer.release(1);
  EXPECT_EQ(consumer.front_run().size(), 2U) << "and from its beginning";
}

TEST(port_queue, released_slots_hold_nothing_back) {
  const auto item = std::make_shared<int>(7);
  PortQueue<std::shared_ptr<int>> port(4);
  auto producer = *port.try_produce();
  auto consumer = *port.try_consume();
  std::array<std::shared_ptr<int>, 3> copies{item, item, item};
  ASSERT_EQ(producer.push_some(copies), 3U);
  EXPECT_EQ(consumer.try_pop(), item);
  EXPECT_EQ(item.use_count(), 3);
  static_cast<void>(consumer.front_run());
  consumer.release(2);
  EXPECT_EQ(item.use_count(), 1);
}

TEST(port_queue, releasing_or_committing_more_than_was_given_is_a_failed_check) {
  PortQueue<int> port(2);
  auto producer = *port.try_produce();
  auto consumer = *port.try_consume();
  EXPECT_DEATH(consumer.release(1), "only items that it was shown");
  EXPECT_DEATH(producer.commit(3), "only slots that it reserved");
}

// One queue of each capacity against std::deque, through every way in and out.
TEST(port_queue, behaves_as_a_bounded_deque) {
  std::mt19937 random(20171109);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (const std::size_t capacity : {1U, 2U, 4U, 8U, 64U}) {
    PortQueue<int> port(capacity);
    std::deque<int> oracle;
    int next = 0;
    for (int step = 0; step < 5'000; ++step) {
      auto producer = *port.try_produce();
      auto consumer = *port.try_consume();
      std::vector<int> items(below(capacity + 2));
      for (auto& item : items) item = next++;
      switch (below(4)) {
        case 0: {
          const auto pushed = producer.push_some(items);
          ASSERT_EQ(pushed, std::min(items.size(), capacity - oracle.size()));
          oracle.insert(oracle.end(), items.begin(), items.begin() + static_cast<long>(pushed));
          break;
        }
        case 1: {
          const auto slots = producer.reserve(items.size());
          ASSERT_LE(slots.size(), capacity - oracle.size());
          ASSERT_EQ(slots.empty(), items.empty() || oracle.size() == capacity);
          std::copy_n(items.begin(), slots.size(), slots.begin());
          producer.commit(slots.size());
          oracle.insert(oracle.end(), slots.begin(), slots.end());
          break;
        }
        case 2: {
          const auto item = consumer.try_pop();
          ASSERT_EQ(item.has_value(), !oracle.empty());
          if (!item) break;
          ASSERT_EQ(*item, oracle.front());
          oracle.pop_front();
          break;
        }
        default: {
          const auto run = consumer.front_run(1 + below(capacity));
          ASSERT_EQ(run.empty(), oracle.empty());
          for (const int item : run) {
            ASSERT_EQ(item, oracle.front());
            oracle.pop_front();
          }
          consumer.release(run.size());
        }
      }
      ASSERT_EQ(port.size_hint(), oracle.size());
    }
  }
}

}  // namespace
}  // namespace penstock::queue
