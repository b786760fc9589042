#include "penstock/elastic/congestion.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using elastic::congested;

// A20
TEST(Congestion, begins_at_the_threshold) {
  EXPECT_TRUE(congested(0.2));
  EXPECT_FALSE(congested(0.19));
  EXPECT_TRUE(congested(0, 0));
  EXPECT_FALSE(congested(0.89, 0.9));
}

}  // namespace
}  // namespace penstock
