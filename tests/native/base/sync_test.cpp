#include "penstock/base/sync.hpp"

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <type_traits>

namespace penstock::base {
namespace {

// The policy costs nothing: its types are the very types one would write by hand.
static_assert(std::is_same_v<RealSync::Atomic<std::uint64_t>, std::atomic<std::uint64_t>>);
static_assert(std::is_same_v<RealSync::Plain<int>, int>);

struct NoPolicy {};
static_assert(!SyncPolicy<NoPolicy>);

TEST(real_sync, read_and_write_are_the_field_itself) {
  RealSync::Plain<int> field = 1;
  RealSync::write(field) = 2;
  EXPECT_EQ(&RealSync::read(field), &field);
  EXPECT_EQ(field, 2);
}

TEST(real_sync, time_never_goes_back) {
  auto last = RealSync::now();
  for (int i = 0; i < 1'000; ++i) {
    const auto now = RealSync::now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(real_sync, random_numbers_do_not_repeat_and_use_every_bit) {
  std::set<std::uint64_t> seen;
  std::uint64_t ones = 0;
  std::uint64_t zeros = 0;
  for (int i = 0; i < 1'000; ++i) {
    const auto bits = RealSync::random();
    seen.insert(bits);
    ones |= bits;
    zeros |= ~bits;
  }
  EXPECT_EQ(seen.size(), 1'000U);
  EXPECT_EQ(ones & zeros, ~std::uint64_t{0});
}

}  // namespace
}  // namespace penstock::base
