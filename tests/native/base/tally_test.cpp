#include "penstock/base/tally.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

TEST(Tally, adds_up_from_nothing) {
  base::Tally<> tally;
  EXPECT_EQ(tally.value(), 0);
  tally.add(3);
  tally.add(-1);
  EXPECT_EQ(tally.value(), 2);
}

TEST(Tally, a_maximum_only_rises) {
  base::Tally<> most;
  most.raise_to(5);
  most.raise_to(3);
  EXPECT_EQ(most.value(), 5);
  most.raise_to(6);
  EXPECT_EQ(most.value(), 6);
}

}  // namespace
}  // namespace penstock
