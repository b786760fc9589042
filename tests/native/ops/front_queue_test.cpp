#include "penstock/ops/front_queue.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace penstock {
namespace {

TEST(FrontQueue, does_what_a_deque_does) {
  std::mt19937 chance(1);
  ops::FrontQueue<int> queue;
  std::deque<int> right;
  for (int turn = 0; turn < 5000; ++turn) {
    const auto what = chance() % 5;
    if (what < 2) {
      queue.push_back(turn);
      right.push_back(turn);
    } else if (what == 2) {
      const auto at = static_cast<std::ptrdiff_t>(chance() % (right.size() + 1));
      queue.insert(queue.begin() + at, turn);
      right.insert(right.begin() + at, turn);
    } else if (!right.empty()) {
      queue.pop_front();
      right.pop_front();
    }
    ASSERT_EQ(queue.size(), right.size());
    ASSERT_EQ(std::vector<int>(queue.begin(), queue.end()),
              std::vector<int>(right.begin(), right.end()));
  }
}

}  // namespace
}  // namespace penstock
