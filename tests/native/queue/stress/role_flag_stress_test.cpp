#include <gtest/gtest.h>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/queue/role_flag.hpp"

namespace penstock::queue {
namespace {

TEST(role_flag_stress, holders_see_each_others_plain_writes) {
  constexpr int kThreads = 4;
  constexpr int kTakes = 20'000;
  RoleFlag<> role;
  int takes = 0;  // plain: the role orders it
  std::vector<base::Thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(base::ThreadOptions{.name = "taker"}, [&] {
      for (int taken = 0; taken < kTakes;) {
        if (const auto held = role.try_take()) {
          ++takes;
          ++taken;
        } else {
          base::RealSync::yield();
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(takes, kThreads * kTakes);
}

}  // namespace
}  // namespace penstock::queue
