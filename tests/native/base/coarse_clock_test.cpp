#include "penstock/base/coarse_clock.hpp"

#include <chrono>
#include <gtest/gtest.h>

#include "penstock/base/sync.hpp"

namespace penstock {
namespace {

TEST(CoarseClock, never_goes_back_and_never_runs_ahead_of_the_exact_one) {
  auto before = base::coarse_now();
  for (int i = 0; i < 10'000; ++i) {
    const auto now = base::coarse_now();
    ASSERT_GE(now, before);
    ASSERT_LE(now, base::RealSync::now());
    before = now;
  }
}

TEST(CoarseClock, goes_on) {
  const auto start = base::coarse_now();
  while (base::coarse_now() == start) {
  }
  EXPECT_LT(base::coarse_now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace penstock
