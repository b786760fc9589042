#include "penstock/queue/node_pool.hpp"

#include <gtest/gtest.h>
#include <set>

namespace penstock::queue {
namespace {

TEST(node_pool, gives_out_each_node_once_and_then_none) {
  NodePool<int> pool(3);
  std::set<NodePool<int>::Node*> nodes;
  for (int i = 0; i < 3; ++i) nodes.insert(pool.try_take());
  EXPECT_EQ(nodes.size(), 3U);
  EXPECT_FALSE(nodes.contains(nullptr));
  EXPECT_EQ(pool.try_take(), nullptr);
}

TEST(node_pool, what_is_given_back_can_be_taken_again) {
  NodePool<int> pool(2);
  auto* const first = pool.try_take();
  auto* const second = pool.try_take();
  pool.give_back(*first);
  pool.give_back(*second);
  std::set<NodePool<int>::Node*> nodes{pool.try_take(), pool.try_take()};
  EXPECT_EQ(nodes, (std::set<NodePool<int>::Node*>{first, second}));
  EXPECT_EQ(pool.try_take(), nullptr);
}

TEST(node_pool, a_node_that_is_put_back_comes_next) {
  NodePool<int> pool(2);
  auto* const node = pool.try_take();
  pool.put_back(*node);
  EXPECT_EQ(pool.try_take(), node);
}

}  // namespace
}  // namespace penstock::queue
