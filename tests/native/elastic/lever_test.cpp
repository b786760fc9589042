#include "penstock/elastic/lever.hpp"

#include <gtest/gtest.h>

namespace penstock {
namespace {

using elastic::Lever;
using elastic::name;

TEST(Lever, has_its_own_word) {
  EXPECT_EQ(name(Lever::kThreads), "threads");
  EXPECT_EQ(name(Lever::kStops), "stops");
  EXPECT_EQ(name(Lever::kChannels), "channels");
}

}  // namespace
}  // namespace penstock
