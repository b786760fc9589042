#include "penstock/policy/by_lot.hpp"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::Views;

TEST(ByLot, each_that_could_work_is_drawn_about_as_often_and_others_never) {
  policy::ByLot policy(1);
  const Views views{{.waiting = 1}, {.waiting = 0}, {.waiting = 100}, {.waiting = 7}};
  std::array<int, 4> drawn{};
  for (int i = 0; i < 3000; ++i) ++drawn.at(static_cast<std::size_t>(policy.pick(views, 0)));
  EXPECT_EQ(drawn[1], 0);
  // The seed is fixed, so this cannot fail by chance.
  for (const std::size_t i : {0U, 2U, 3U}) EXPECT_NEAR(drawn.at(i), 1000, 100);
}

TEST(ByLot, the_seed_decides) {
  policy::ByLot one(1);
  policy::ByLot same(1);
  policy::ByLot other(2);
  const Views views(10, {.waiting = 1});
  int equal = 0;
  for (int i = 0; i < 100; ++i) {
    const int place = one.pick(views, 0);
    EXPECT_EQ(place, same.pick(views, 0));
    equal += place == other.pick(views, 0) ? 1 : 0;
  }
  EXPECT_LT(equal, 50);
}

}  // namespace
}  // namespace penstock
