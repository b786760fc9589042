#include <gtest/gtest.h>
#include <utility>

#include "bench/ordered/queries/difference.hpp"

namespace penstock::bench::queries {
namespace {

const std::vector<Output> kWanted{{.at = 1}, {.at = 2}, {.at = 3}, {.at = 3, .item = 1}};

TEST(OrderedQueryDifference, there_is_none_between_equals) {
  EXPECT_TRUE(difference(kWanted, kWanted).none());
  EXPECT_TRUE(difference({}, {}).none());
}

TEST(OrderedQueryDifference, what_is_missing_is_lost) {
  auto found = kWanted;
  found.erase(found.begin() + 1);
  EXPECT_EQ(difference(kWanted, found).lost, 1U);
  EXPECT_EQ(difference(kWanted, {}).lost, kWanted.size());
  EXPECT_FALSE(difference(kWanted, found).none());
}

TEST(OrderedQueryDifference, what_comes_twice_is_duplicated) {
  auto found = kWanted;
  found.push_back(kWanted.front());
  EXPECT_EQ(difference(kWanted, found).duplicated, 1U);
  EXPECT_FALSE(difference(kWanted, found).none());
}

TEST(OrderedQueryDifference, what_comes_late_is_out_of_order) {
  auto found = kWanted;
  std::swap(found[2], found[3]);
  EXPECT_EQ(difference(kWanted, found).out_of_order, 1U);
  EXPECT_FALSE(difference(kWanted, found).none());
}

TEST(OrderedQueryDifference, another_value_is_wrong_and_the_right_one_lost) {
  auto found = kWanted;
  found[1].amount = 9;
  EXPECT_EQ(difference(kWanted, found).wrong, 1U);
  EXPECT_EQ(difference(kWanted, found).lost, 1U);
  found = kWanted;
  found.push_back({.at = 4});
  EXPECT_EQ(difference(kWanted, found).wrong, 1U);
  EXPECT_FALSE(difference(kWanted, found).none());
}

}  // namespace
}  // namespace penstock::bench::queries
