#include "penstock/queue/role_flag.hpp"

#include <gtest/gtest.h>
#include <utility>

namespace penstock::queue {
namespace {

TEST(role_flag, a_second_claim_is_refused_until_the_role_is_given_back) {
  RoleFlag<> role;
  auto first = role.try_take();
  EXPECT_TRUE(first);
  EXPECT_FALSE(role.try_take());
  first.reset();
  EXPECT_TRUE(role.try_take());
}

TEST(role_flag, a_refused_claim_does_not_give_the_role_back) {
  RoleFlag<> role;
  const auto held = role.try_take();
  {
    const auto refused = role.try_take();
  }
  EXPECT_FALSE(role.try_take());
}

TEST(role_flag, moving_the_proof_moves_the_role) {
  RoleFlag<> role;
  auto first = role.try_take();
  auto second = std::move(first);
  first.reset();
  EXPECT_FALSE(role.try_take());
  second.reset();
  EXPECT_TRUE(role.try_take());
}

}  // namespace
}  // namespace penstock::queue
