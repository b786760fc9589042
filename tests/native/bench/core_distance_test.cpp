#include "bench/core_distance.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <thread>

namespace penstock::bench {
namespace {

int usable() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return CPU_COUNT(&mask);
}

TEST(CoreDistance, is_that_of_two_cores_and_none_of_one) {
  const int before = usable();
  if (before > 1) {
    EXPECT_GT(core_distance_ns(), 1) << "no line crosses within a nanosecond";
  }
  EXPECT_EQ(usable(), before) << "who asks may still run anywhere";
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(core_distance_ns(), 0);
  }).join();
}

}  // namespace
}  // namespace penstock::bench
