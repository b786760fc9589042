#include <chrono>
#include <gtest/gtest.h>

#include "penstock/base/parker.hpp"
#include "penstock/base/thread.hpp"

namespace penstock::base {
namespace {

TEST(parker_stress, two_threads_hand_a_plain_counter_to_and_fro) {
  constexpr int kRounds = 20'000;
  Parker ping;
  Parker pong;
  int rounds = 0;  // plain: the tokens order it
  Thread other({.name = "pong"}, [&] {
    for (int i = 0; i < kRounds; ++i) {
      ping.park();
      ++rounds;
      pong.unpark();
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    ++rounds;
    ping.unpark();
    // Alternate the two ways to wait; a limit that passes is simply another try.
    if (i % 2 == 0) {
      pong.park();
    } else {
      while (!pong.park_for(std::chrono::microseconds(i % 64))) {
      }
    }
    ASSERT_EQ(rounds, 2 * (i + 1));
  }
}

}  // namespace
}  // namespace penstock::base
