#include "penstock/base/parker.hpp"

#include <chrono>
#include <gtest/gtest.h>

namespace penstock::base {
namespace {

constexpr std::chrono::nanoseconds kNoTime{0};

TEST(parker, a_token_given_before_the_wait_is_not_lost) {
  Parker parker;
  parker.unpark();
  parker.park();
  EXPECT_FALSE(parker.park_for(kNoTime)) << "the token was taken";
}

TEST(parker, two_tokens_before_the_wait_count_as_one) {
  Parker parker;
  parker.unpark();
  parker.unpark();
  EXPECT_TRUE(parker.park_for(kNoTime));
  EXPECT_FALSE(parker.park_for(kNoTime));
}

TEST(parker, a_wait_that_ran_out_of_time_does_not_swallow_the_next_token) {
  Parker parker;
  EXPECT_FALSE(parker.park_for(kNoTime));
  EXPECT_FALSE(parker.park_for(std::chrono::nanoseconds(-1)));
  parker.unpark();
  EXPECT_TRUE(parker.park_for(kNoTime));
}

}  // namespace
}  // namespace penstock::base
