#include <gtest/gtest.h>

#include "bench/ordered/calibrate.hpp"

namespace penstock::bench::ordered {
namespace {

// An operation takes some cycles because each needs the result of the one before it: nothing can
// do a hundred of them in a nanosecond, unless they are not done at all.
TEST(OrderedCalibrate, an_operation_takes_a_time_that_a_processor_can_take) {
  EXPECT_GT(flops_per_us(), 1);
  EXPECT_LT(flops_per_us(), 100'000);
}

TEST(OrderedCalibrate, is_measured_once) { EXPECT_EQ(flops_per_us(), flops_per_us()); }

}  // namespace
}  // namespace penstock::bench::ordered
