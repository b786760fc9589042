#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/queue/baton_reorder.hpp"
#include "penstock/queue/locked_reorder.hpp"
#include "penstock/queue/reorder_buffer.hpp"

namespace penstock::queue {
namespace {

using Unit = std::unique_ptr<std::uint64_t>;

constexpr std::uint64_t kThreads = 4;
constexpr std::uint64_t kUnits = 40'000;

// Threads take numbers and bring what belongs to them, every seventh time nothing. What is sent is
// checked in plain fields, so a second sender would be a race. A unit left behind hangs the
// others as soon as the window is full, or is missing at the end.
template <Reorderer Scheme>
void bring_all(Scheme& reorder) {
  std::atomic<std::uint64_t> numbers{0};
  std::uint64_t next = 0;
  std::uint64_t sent = 0;
  const auto send = [&](Unit&& unit) noexcept {
    if (next % 7 == 0) ++next;
    EXPECT_EQ(*unit, next++);
    ++sent;
    unit.reset();
  };
  std::vector<base::Thread> threads;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back(base::ThreadOptions{.name = "worker"}, [&] {
      for (;;) {
        const auto serial = numbers.fetch_add(1, std::memory_order_relaxed);
        if (serial >= kUnits) return;
        if (serial % 7 == 0) {
          while (!reorder.try_skip(serial, send)) base::RealSync::yield();
          continue;
        }
        auto unit = std::make_unique<std::uint64_t>(serial);
        while (!reorder.try_send(serial, unit, send)) base::RealSync::yield();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(reorder.next_hint(), kUnits);
  EXPECT_EQ(sent, kUnits - (kUnits + 6) / 7);
}

class ReordererStress : public testing::TestWithParam<std::size_t> {};

TEST_P(ReordererStress, the_reorder_buffer_leaves_nothing_behind_and_keeps_the_order) {
  ReorderBuffer<Unit> reorder(GetParam());
  bring_all(reorder);
}

TEST_P(ReordererStress, the_reorder_buffer_hands_over_after_every_unit) {
  ReorderBuffer<Unit> reorder(GetParam(), 1);
  bring_all(reorder);
}

TEST_P(ReordererStress, the_lock_leaves_nothing_behind_and_keeps_the_order) {
  LockedReorder<Unit> reorder(GetParam());
  bring_all(reorder);
}

TEST_P(ReordererStress, the_baton_leaves_nothing_behind_and_keeps_the_order) {
  BatonReorder<Unit> reorder(GetParam());
  bring_all(reorder);
}

INSTANTIATE_TEST_SUITE_P(Window, ReordererStress, testing::Values(1, 2, 64));

}  // namespace
}  // namespace penstock::queue
