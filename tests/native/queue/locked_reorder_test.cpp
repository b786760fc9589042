#include "penstock/queue/locked_reorder.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "penstock/base/sync.hpp"

namespace penstock::queue {
namespace {

// Counts how often the lock is asked for.
struct CountedSync : base::RealSync {
  struct Mutex : base::RealSync::Mutex {
    void lock() {
      ++locks;
      base::RealSync::Mutex::lock();
    }
    inline static int locks = 0;
  };
};

TEST(locked_reorder, every_hand_over_takes_the_lock_once_however_much_it_sends) {
  LockedReorder<int, CountedSync> reorder(8);
  CountedSync::Mutex::locks = 0;
  std::vector<int> sent;
  for (int unit : {3, 2, 1, 0}) {
    EXPECT_TRUE(reorder.try_send(static_cast<std::uint64_t>(unit), unit,
                                 [&sent](int&& each) noexcept { sent.push_back(each); }));
  }
  EXPECT_EQ(sent, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(CountedSync::Mutex::locks, 4);
}

}  // namespace
}  // namespace penstock::queue
