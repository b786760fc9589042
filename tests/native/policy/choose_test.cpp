#include "penstock/policy/choose.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::Views;

TEST(Least, of_equals_the_earliest_is_taken) {
  const Views views(3, {.waiting = 1});
  EXPECT_EQ(policy::least(views, [](std::size_t i) { return i == 0 ? 2.0 : 1.0; }), 1);
}

TEST(Least, an_infinite_score_is_better_than_nobody) {
  const Views views{{.waiting = 0}, {.waiting = 1}};
  EXPECT_EQ(policy::least(views, [](std::size_t) { return INFINITY; }), 1);
}

TEST(Lot, the_same_seed_draws_the_same) {
  policy::Lot one(7);
  policy::Lot same(7);
  std::set<int> drawn;
  for (int i = 0; i < 100; ++i) {
    const int place = one.draw({3, 5, 8});
    EXPECT_EQ(place, same.draw({3, 5, 8}));
    drawn.insert(place);
  }
  EXPECT_EQ(drawn, (std::set{3, 5, 8}));
  EXPECT_EQ(one.draw({}), policy::kNobody);
}

}  // namespace
}  // namespace penstock
