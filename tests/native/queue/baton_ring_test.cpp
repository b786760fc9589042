#include "penstock/queue/baton_ring.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace penstock::queue {
namespace {

struct AnyRun {
  std::uint64_t serial = 0;
};

std::vector<AnyRun> numbered(std::size_t count) {
  std::vector<AnyRun> runs(count);
  for (std::size_t i = 0; i < count; ++i) runs[i].serial = i;
  return runs;
}

TEST(BatonRing, the_first_run_passes_at_once) {
  BatonRing<AnyRun> ring(4);
  auto runs = numbered(2);
  EXPECT_TRUE(ring.arrive(runs[0], 0));
  EXPECT_EQ(ring.depart(0), nullptr);
  EXPECT_TRUE(ring.arrive(runs[1], 1));
}

TEST(BatonRing, a_run_that_comes_too_early_is_handed_to_the_one_before_it) {
  BatonRing<AnyRun> ring(4);
  auto runs = numbered(3);
  EXPECT_FALSE(ring.arrive(runs[2], 2));
  EXPECT_FALSE(ring.arrive(runs[1], 1));
  EXPECT_TRUE(ring.arrive(runs[0], 0));
  EXPECT_EQ(ring.depart(0), &runs[1]);
  EXPECT_EQ(ring.depart(1), &runs[2]);
  EXPECT_EQ(ring.depart(2), nullptr);
}

TEST(BatonRing, a_run_that_comes_during_the_turn_before_it_waits_for_its_end) {
  BatonRing<AnyRun> ring(2);
  auto runs = numbered(2);
  ASSERT_TRUE(ring.arrive(runs[0], 0));
  EXPECT_FALSE(ring.arrive(runs[1], 1));
  EXPECT_EQ(ring.depart(0), &runs[1]);
}

TEST(BatonRing, slots_are_used_again_lap_after_lap) {
  for (const std::size_t window : {1U, 2U, 3U}) {
    BatonRing<AnyRun> ring(window);
    auto runs = numbered(100);
    for (auto& run : runs) {
      ASSERT_TRUE(ring.arrive(run, run.serial)) << "window " << window;
      ASSERT_EQ(ring.depart(run.serial), nullptr) << "window " << window;
    }
  }
}

TEST(BatonRing, has_room_for_at_least_the_window) {
  EXPECT_EQ(BatonRing<AnyRun>(1).size(), 1U);
  EXPECT_EQ(BatonRing<AnyRun>(3).size(), 4U);
}

}  // namespace
}  // namespace penstock::queue
