#include <gtest/gtest.h>

#include "bench/ordered/migration.hpp"

namespace penstock::bench::ordered {
namespace {

TEST(OrderedMigration, keys_move_to_the_channel_that_comes_and_from_the_one_that_goes) {
  const Migrated more = migrate(3000, 3, 4);
  EXPECT_GT(more.moved, 375U);
  EXPECT_LT(more.moved, 1125U);
  EXPECT_EQ(more.between_survivors, 0U);
  EXPECT_TRUE(more.correct);
  const Migrated fewer = migrate(3000, 4, 3);
  EXPECT_EQ(fewer.moved, more.moved) << "the same come back";
  EXPECT_EQ(fewer.between_survivors, 0U);
  EXPECT_TRUE(fewer.correct);
}

}  // namespace
}  // namespace penstock::bench::ordered
