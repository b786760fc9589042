#include <algorithm>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "penstock/budget/seat.hpp"

#include "budget/page_file.hpp"

namespace penstock {
namespace {

using budget::Seat;

class SeatStress : public support::PageFile {};

// What a thread of this test claims to use, it adds to one sum, as if that were threads. It joins
// with one, which it has in any case; all it gets beyond that was granted.
TEST_F(SeatStress, never_grants_more_beyond_the_guaranteed_than_there_are_cores) {
  constexpr int kCores = 5;
  constexpr int kPeople = 6;
  constexpr int kSteps = 3000;
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::atomic<int> beyond{0};
  std::atomic<int> most{0};
  const auto live = [&](unsigned number) {
    std::mt19937 random(seed + number);
    const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::unique_ptr<Seat> seat;
    int held = 1;
    for (int step = 0; step < kSteps; ++step) {
      if (!seat) {
        seat = std::make_unique<Seat>(path(), kCores, 1);
        held = 1;
      }
      const int wanted = 1 + up_to(kCores);
      const auto standing = seat->look({.wanted = wanted, .most = kCores});
      if (standing.share < held) {
        beyond -= held - standing.share;
        held = standing.share;
        seat->lower(held);
      } else if (const int got = seat->raise(standing.share); got > held) {
        const int sum = beyond.fetch_add(got - held) + got - held;
        held = got;
        int seen = most.load();
        while (seen < sum && !most.compare_exchange_weak(seen, sum)) {
        }
      }
      if (up_to(10) == 0) {
        beyond -= held - 1;
        seat.reset();
      }
    }
    if (seat) beyond -= held - 1;
  };
  std::vector<std::thread> people;
  for (unsigned i = 0; i < kPeople; ++i) people.emplace_back(live, i);
  for (auto& one : people) one.join();
  EXPECT_EQ(beyond.load(), 0);
  EXPECT_LT(most.load(), kCores) << "everybody at work has one, the rest is fewer than all";
  EXPECT_GT(most.load(), 0) << "nothing was granted, so nothing was tested";
  const auto last = std::make_unique<Seat>(path(), kCores, 1);
  EXPECT_EQ(last->raise(kCores), kCores) << "all places are free in the end";
}

}  // namespace
}  // namespace penstock
