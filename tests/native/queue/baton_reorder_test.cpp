#include "penstock/queue/baton_reorder.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace penstock::queue {
namespace {

TEST(baton_reorder, whoever_comes_during_a_turn_leaves_the_unit_to_it) {
  BatonReorder<int> reorder(8);
  std::vector<int> sent;
  const auto send = [&](int&& each) noexcept {
    if (each == 0) {
      int more = 1;
      EXPECT_TRUE(reorder.try_send(1, more, [](int&& /*unit*/) noexcept { FAIL(); }));
    }
    sent.push_back(each);
  };
  int unit = 0;
  EXPECT_TRUE(reorder.try_send(0, unit, send));
  EXPECT_EQ(sent, (std::vector{0, 1}));
}

TEST(baton_reorder, a_serial_number_can_start_anywhere) {
  BatonReorder<int> reorder(4, 1'001);
  int unit = 3;
  int sent = 0;
  EXPECT_TRUE(reorder.try_send(1'001, unit, [&sent](int&& each) noexcept { sent = each; }));
  EXPECT_EQ(sent, 3);
}

}  // namespace
}  // namespace penstock::queue
