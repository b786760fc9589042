#include "penstock/queue/reorderer.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include "penstock/queue/baton_reorder.hpp"
#include "penstock/queue/locked_reorder.hpp"
#include "penstock/queue/reorder_buffer.hpp"

namespace penstock::queue {
namespace {

struct CanThrow {
  void operator()(int&& /*unit*/) const {}
};
static_assert(!UnitSender<CanThrow, int>);

template <template <typename> typename Scheme>
struct Of {
  template <typename T>
  using Type = Scheme<T>;
};
template <typename T>
using NonBlocking = ReorderBuffer<T>;
template <typename T>
using Locked = LockedReorder<T>;
template <typename T>
using Baton = BatonReorder<T>;

template <typename Kind>
class EveryReorderer : public testing::Test {
 protected:
  using Ints = typename Kind::template Type<int>;
  using Pointers = typename Kind::template Type<std::unique_ptr<int>>;

  auto sender() {
    return [this](int&& unit) noexcept { sent_.push_back(unit); };
  }

  std::vector<int> sent_;
};

using Kinds = testing::Types<Of<NonBlocking>, Of<Locked>, Of<Baton>>;
TYPED_TEST_SUITE(EveryReorderer, Kinds);

TYPED_TEST(EveryReorderer, a_unit_whose_turn_it_is_is_sent_at_once) {
  typename TestFixture::Ints reorder(4);
  int unit = 7;
  EXPECT_TRUE(reorder.try_send(0, unit, this->sender()));
  EXPECT_EQ(this->sent_, (std::vector{7}));
  EXPECT_EQ(reorder.next_hint(), 1U);
}

TYPED_TEST(EveryReorderer, a_unit_that_comes_too_early_waits_for_the_one_before_it) {
  typename TestFixture::Ints reorder(4);
  for (const int serial : {2, 3, 1}) {
    int unit = serial;
    EXPECT_TRUE(reorder.try_send(static_cast<std::uint64_t>(serial), unit, this->sender()));
  }
  EXPECT_TRUE(this->sent_.empty());
  int unit = 0;
  EXPECT_TRUE(reorder.try_send(0, unit, this->sender()));
  EXPECT_EQ(this->sent_, (std::vector{0, 1, 2, 3}));
}

TYPED_TEST(EveryReorderer, an_input_without_output_holds_nobody_up) {
  typename TestFixture::Ints reorder(4);
  int unit = 2;
  EXPECT_TRUE(reorder.try_send(2, unit, this->sender()));
  EXPECT_TRUE(reorder.try_skip(1, this->sender()));
  EXPECT_TRUE(reorder.try_skip(0, this->sender()));
  EXPECT_EQ(this->sent_, (std::vector{2}));
  EXPECT_EQ(reorder.next_hint(), 3U);
}

TYPED_TEST(EveryReorderer, a_unit_equal_to_a_default_value_is_sent_as_any_other) {
  typename TestFixture::Ints reorder(2);
  int nothing_special = 0;
  EXPECT_TRUE(reorder.try_send(0, nothing_special, this->sender()));
  EXPECT_EQ(this->sent_, (std::vector{0}));
}

TYPED_TEST(EveryReorderer, what_is_beyond_the_window_is_refused_and_left_with_the_caller) {
  typename TestFixture::Pointers reorder(2);
  int sum = 0;
  const auto send = [&sum](std::unique_ptr<int>&& unit) noexcept { sum = 10 * sum + *unit; };
  auto early = std::make_unique<int>(3);
  EXPECT_FALSE(reorder.try_send(2, early, send));
  EXPECT_FALSE(reorder.try_skip(2, send));
  ASSERT_NE(early, nullptr);
  auto first = std::make_unique<int>(1);
  auto second = std::make_unique<int>(2);
  EXPECT_TRUE(reorder.try_send(1, second, send));
  EXPECT_TRUE(reorder.try_send(0, first, send));
  EXPECT_TRUE(reorder.try_send(2, early, send));
  EXPECT_EQ(early, nullptr);
  EXPECT_EQ(sum, 123);
}

TYPED_TEST(EveryReorderer, a_slot_that_was_sent_holds_nothing_back) {
  using Shared = std::shared_ptr<int>;
  typename TypeParam::template Type<Shared> reorder(4);
  const auto kept = std::make_shared<int>(1);
  Shared copy = kept;
  EXPECT_TRUE(reorder.try_send(0, copy, [](Shared&& /*unit*/) noexcept {}));
  EXPECT_EQ(kept.use_count(), 1);
}

TYPED_TEST(EveryReorderer, the_size_is_rounded_up_to_a_power_of_two) {
  EXPECT_EQ(typename TestFixture::Ints(0).size(), 1U);
  EXPECT_EQ(typename TestFixture::Ints(3).size(), 4U);
  EXPECT_EQ(typename TestFixture::Ints(64).size(), 64U);
}

// Any order that the window allows, with some inputs that have no output.
TYPED_TEST(EveryReorderer, units_leave_in_order_whatever_order_they_come_in) {
  constexpr int kUnits = 2'000;
  std::mt19937 random(5);
  for (const std::size_t window : {1U, 2U, 8U, 64U}) {
    this->sent_.clear();
    typename TestFixture::Ints reorder(window);
    std::vector<int> under_way;
    std::vector<int> expected;
    for (int taken = 0; taken < kUnits || !under_way.empty();) {
      if (taken < kUnits && under_way.size() < 2 * window) {
        under_way.push_back(taken++);
        continue;
      }
      const auto chosen =
          under_way.begin() + static_cast<std::ptrdiff_t>(random() % under_way.size());
      int unit = *chosen;
      const auto serial = static_cast<std::uint64_t>(unit);
      const bool inside = serial < reorder.next_hint() + window;
      const bool accepted = unit % 3 == 0 ? reorder.try_skip(serial, this->sender())
                                          : reorder.try_send(serial, unit, this->sender());
      ASSERT_EQ(accepted, inside);
      if (accepted) under_way.erase(chosen);
    }
    for (int i = 0; i < kUnits; ++i) {
      if (i % 3 != 0) expected.push_back(i);
    }
    ASSERT_EQ(this->sent_, expected) << "window " << window;
  }
}

}  // namespace
}  // namespace penstock::queue
