#include "penstock/policy/custom_policy.hpp"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>

#include "policy/views.hpp"

namespace penstock {
namespace {

using support::Views;

struct Remembered {
  std::size_t operators = 0;
  std::uint64_t seed = 0;
  penstock_operator_view last{};
  double now = 0;
};

int alive = 0;
Remembered* latest = nullptr;

constexpr penstock_policy kLast{.abi = PENSTOCK_POLICY_ABI,
                                .create = [](std::size_t operators, std::uint64_t seed) -> void* {
                                  ++alive;
                                  latest = new Remembered{.operators = operators, .seed = seed};
                                  return latest;
                                },
                                .destroy =
                                    [](void* state) {
                                      --alive;
                                      delete static_cast<Remembered*>(state);
                                    },
                                .pick = [](void* state, const penstock_operator_view* views,
                                           std::size_t count, double now) -> std::int32_t {
                                  auto& remembered = *static_cast<Remembered*>(state);
                                  remembered.last = views[count - 1];
                                  remembered.now = now;
                                  return static_cast<std::int32_t>(count) - 1;
                                }};

TEST(CustomPolicy, it_sees_what_a_policy_sees_and_is_believed) {
  const Views views{{.waiting = 1},
                    {.selectivity = 2,
                     .cost = 3,
                     .waiting = 4,
                     .workers = 5,
                     .most_workers = 6,
                     .window_time = 7,
                     .source = true,
                     .last_run = 8,
                     .oldest = 9,
                     .read_rate = 10,
                     .write_rate = 11,
                     .made = 12,
                     .room = 13}};
  policy::CustomPolicy policy(kLast, nullptr, 2, 77);
  EXPECT_EQ(policy.pick(views, 0.5), 1);
  EXPECT_EQ(latest->operators, 2U);
  EXPECT_EQ(latest->seed, 77U);
  EXPECT_EQ(latest->now, 0.5);
  const auto& seen = latest->last;
  EXPECT_EQ(seen.selectivity, 2);
  EXPECT_EQ(seen.cost, 3);
  EXPECT_EQ(seen.waiting, 4);
  EXPECT_EQ(seen.workers, 5);
  EXPECT_EQ(seen.most_workers, 6);
  EXPECT_EQ(seen.window_time, 7);
  EXPECT_EQ(seen.source, 1);
  EXPECT_EQ(seen.last_run, 8);
  EXPECT_EQ(seen.oldest, 9);
  EXPECT_EQ(seen.read_rate, 10);
  EXPECT_EQ(seen.write_rate, 11);
  EXPECT_EQ(seen.made, 12);
  EXPECT_EQ(seen.room, 13);
}

TEST(CustomPolicy, what_it_made_is_given_back_to_it_before_its_library_goes) {
  auto owner = std::make_shared<int>(0);
  const std::weak_ptr<int> library = owner;
  {
    const policy::CustomPolicy policy(kLast, std::move(owner), 1, 0);
    EXPECT_EQ(alive, 1);
    EXPECT_FALSE(library.expired());
  }
  EXPECT_EQ(alive, 0);
  EXPECT_TRUE(library.expired());
}

TEST(CustomPolicy, it_needs_no_state) {
  const penstock_policy stateless{
      .abi = PENSTOCK_POLICY_ABI,
      .create = nullptr,
      .destroy = nullptr,
      .pick = [](void* state, const penstock_operator_view*, std::size_t, double) -> std::int32_t {
        return state == nullptr ? -9 : 0;
      }};
  EXPECT_EQ(policy::CustomPolicy(stateless, nullptr, 1, 0).pick(Views(1), 0), -9)
      << "what it says is for others to check";
}

}  // namespace
}  // namespace penstock
