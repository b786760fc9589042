#include <gtest/gtest.h>
#include <vector>

#include "bench/policies/simulator.hpp"

namespace penstock::bench::policies {
namespace {

using policy::OperatorView;

// Takes the furthest and keeps what it was last shown.
class Onlooker final : public policy::Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double /*now*/) override {
    seen.assign(operators.begin(), operators.end());
    for (int i = static_cast<int>(operators.size()) - 1; i >= 0; --i) {
      if (schedulable(operators[static_cast<std::size_t>(i)])) return i;
    }
    return policy::kNobody;
  }

  std::vector<OperatorView> seen;
};

std::vector<OperatorView> seen_in(const Topology& topology) {
  Onlooker onlooker;
  static_cast<void>(simulate(topology, {.workers = 2, .room = 50}, {}, onlooker));
  return onlooker.seen;
}

TEST(SimulatorViews, an_operator_is_read_as_fast_as_its_cost_lets) {
  const auto seen = seen_in(chain(2, {.cost_ns = 50'000, .end_ns = 10'000}));
  EXPECT_NEAR(seen[0].read_rate, 100'000, 1);
  EXPECT_NEAR(seen[1].read_rate, 20'000, 1);
}

// Room is that of the output which is next: over the rate of all of them it would be used up as
// many times too early as there are outputs, and maxRunningTime would keep off sources.
TEST(SimulatorViews, the_write_rate_is_that_of_one_output_as_room_is) {
  const auto one = seen_in(chain(2, {.cost_ns = 50'000, .end_ns = 10'000}));
  EXPECT_NEAR(one[0].write_rate, 100'000, 1);
  const auto four = seen_in(data_parallel(4, {.cost_ns = 50'000, .end_ns = 10'000}));
  EXPECT_NEAR(four[0].write_rate, 25'000, 1);
}

}  // namespace
}  // namespace penstock::bench::policies
