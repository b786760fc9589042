#include "penstock/queue/reorder_buffer.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "penstock/base/thread.hpp"

namespace penstock::queue {
namespace {

TEST(reorder_buffer, adding_sends_nothing_by_itself) {
  ReorderBuffer<int> buffer(4);
  std::vector<int> sent;
  int unit = 5;
  EXPECT_TRUE(buffer.try_add(0, unit));
  EXPECT_TRUE(buffer.try_add_nothing(1));
  EXPECT_EQ(buffer.next_hint(), 0U);
  buffer.send_pending([&sent](int&& each) noexcept { sent.push_back(each); });
  EXPECT_EQ(sent, (std::vector{5}));
  EXPECT_EQ(buffer.next_hint(), 2U);
}

TEST(reorder_buffer, a_hold_ends_after_a_burst_and_says_that_more_is_ready) {
  ReorderBuffer<int> buffer(8, 2);
  std::vector<int> sent;
  const auto send = [&sent](int&& each) noexcept { sent.push_back(each); };
  for (int unit : {0, 1, 2, 3}) EXPECT_TRUE(buffer.try_add(static_cast<std::uint64_t>(unit), unit));
  EXPECT_TRUE(buffer.send_some(send));
  EXPECT_EQ(sent, (std::vector{0, 1}));
  EXPECT_FALSE(buffer.send_some(send));
  EXPECT_EQ(sent, (std::vector{0, 1, 2, 3}));
}

TEST(reorder_buffer, whoever_comes_while_another_sends_adds_and_goes) {
  ReorderBuffer<int> buffer(8);
  std::vector<int> sent;
  // The sender itself brings more: it finds the flag taken, as another worker would.
  const auto send = [&](int&& each) noexcept {
    if (each == 0) {
      int more = 1;
      EXPECT_TRUE(buffer.try_send(1, more, [](int&& /*unit*/) noexcept { FAIL(); }));
    }
    sent.push_back(each);
  };
  int unit = 0;
  EXPECT_TRUE(buffer.try_send(0, unit, send));
  EXPECT_EQ(sent, (std::vector{0, 1}));
}

TEST(reorder_buffer, a_unit_that_is_being_sent_has_not_left_the_window) {
  ReorderBuffer<int> buffer(1);
  int unit = 0;
  EXPECT_TRUE(buffer.try_send(0, unit, [&buffer](int&& /*unit*/) noexcept {
    int next = 1;
    EXPECT_FALSE(buffer.try_add(1, next));
  }));
  EXPECT_TRUE(buffer.try_add(1, unit));
}

// A27: the paper's recursion would need a frame for each hold.
TEST(reorder_buffer, many_holds_in_a_row_need_no_more_stack_than_one) {
  constexpr std::uint64_t kUnits = 1U << 17U;
  ReorderBuffer<int> buffer(kUnits, 1);
  int sent = 0;
  for (std::uint64_t serial = 0; serial < kUnits; ++serial) {
    int unit = static_cast<int>(serial);
    ASSERT_TRUE(buffer.try_add(serial, unit));
  }
  base::Thread({.name = "sender", .stack_bytes = std::size_t{64} << 10U}, [&] {
    buffer.send_pending([&sent](int&& unit) noexcept { sent += unit == sent ? 1 : 0; });
  }).join();
  EXPECT_EQ(sent, static_cast<int>(kUnits));
}

TEST(reorder_buffer, a_serial_number_can_start_anywhere) {
  ReorderBuffer<int> buffer(4, 64, 1'000);
  int unit = 3;
  int sent = 0;
  EXPECT_TRUE(buffer.try_send(1'000, unit, [&sent](int&& each) noexcept { sent = each; }));
  EXPECT_EQ(sent, 3);
}

TEST(reorder_buffer_death, a_serial_number_that_was_sent_cannot_come_again) {
  ReorderBuffer<int> buffer(4);
  int unit = 0;
  ASSERT_TRUE(buffer.try_send(0, unit, [](int&& /*unit*/) noexcept {}));
  EXPECT_DEATH(static_cast<void>(buffer.try_add(0, unit)), "can be added once");
  ASSERT_TRUE(buffer.try_add(2, unit));
  EXPECT_DEATH(static_cast<void>(buffer.try_add(2, unit)), "into an empty slot");
}

}  // namespace
}  // namespace penstock::queue
