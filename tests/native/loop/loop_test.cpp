#include "penstock/loop/loop.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <utility>

namespace penstock {
namespace {

using loop::Loop;

Loop count_to(int& counted, int last) {
  while (counted < last) {
    ++counted;
    co_await std::suspend_always{};
  }
}

TEST(Loop, begins_with_the_first_resume_and_ends_by_itself) {
  int counted = 0;
  Loop loop = count_to(counted, 2);
  EXPECT_EQ(counted, 0);
  loop.resume();
  loop.resume();
  EXPECT_EQ(counted, 2);
  EXPECT_FALSE(loop.ended());
  loop.resume();
  EXPECT_TRUE(loop.ended());
}

Loop fail_at_second() {
  co_await std::suspend_always{};
  throw std::runtime_error("no more");
}

TEST(Loop, gives_what_leaves_it_to_whoever_resumes_it_and_has_ended) {
  Loop loop = fail_at_second();
  loop.resume();
  EXPECT_THROW(loop.resume(), std::runtime_error);
  EXPECT_TRUE(loop.ended());
}

Loop hold(std::shared_ptr<int> held) {
  const auto more = held;
  co_await std::suspend_always{};
  *more = 2;
}

TEST(Loop, what_it_holds_goes_with_it_wherever_it_stands) {
  const auto held = std::make_shared<int>(1);
  {
    const Loop never_begun = hold(held);
  }
  EXPECT_EQ(held.use_count(), 1);
  {
    Loop suspended = hold(held);
    suspended.resume();
    EXPECT_EQ(held.use_count(), 3);
    const Loop moved = std::move(suspended);
    EXPECT_EQ(held.use_count(), 3);
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(*held, 1);
}

}  // namespace
}  // namespace penstock
