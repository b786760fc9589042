#include "penstock/base/cache_line.hpp"

#include <gtest/gtest.h>
#include <new>

namespace penstock::base {
namespace {

TEST(cache_line, is_a_power_of_two_that_no_common_processor_exceeds) {
  EXPECT_EQ(kCacheLine & (kCacheLine - 1), 0U);
#ifdef __GCC_DESTRUCTIVE_SIZE
  EXPECT_GE(kCacheLine, static_cast<std::size_t>(__GCC_DESTRUCTIVE_SIZE));
#endif
}

}  // namespace
}  // namespace penstock::base
