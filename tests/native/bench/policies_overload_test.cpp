#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

#include "bench/policies/simulator.hpp"

// Whatever ET misses under overload is its formula's: the simulator does what that says.

namespace penstock::bench::policies {
namespace {

constexpr int kWorkers = 64;
constexpr double kLoad = 1.5;

Topology in_a_row(const std::vector<int>& costs_us) {
  Topology made;
  for (const int cost : costs_us) {
    made.nodes.push_back({.cost_ns = 1'000 * cost, .most_workers = kWorkers});
    const int next = static_cast<int>(made.nodes.size());
    if (made.nodes.size() < costs_us.size()) made.nodes.back().outputs = {next};
  }
  return made;
}

double reached(const char* name, const std::vector<int>& costs_us, bool whole_slices = false) {
  const Topology topology = in_a_row(costs_us);
  const double most = topology.capacity(kWorkers);
  const auto policy = policy::make(name, {});
  const Machine machine{.workers = kWorkers, .whole_slices = whole_slices, .run_ns = 200'000'000};
  return simulate(topology, machine, {.rate = kLoad * most}, *policy).throughput / most;
}

// Operators with w workers that all have the same p = I c / (w + 1) (P13), while their queues grow:
// of work that comes, w = (work - p) / (1 + p) is done, and p is such that all workers are busy.
double expected(const std::vector<int>& costs_us) {
  const double all = std::accumulate(costs_us.begin(), costs_us.end(), 0.0);
  double low = 0;
  double high = kWorkers;
  double leaves = 0;
  for (int i = 0; i < 100; ++i) {
    const double p = std::midpoint(low, high);
    double comes = kLoad;  // tuples, of the most there can be
    double busy = 0;
    for (const int cost : costs_us) {
      const double work = comes * kWorkers * cost / all;
      const double done = std::max(0.0, (work - p) / (1 + p));
      busy += done;
      comes *= done / work;
    }
    (busy > kWorkers ? low : high) = p;
    leaves = comes;
  }
  return leaves;
}

TEST(Overload, estimated_time_reaches_what_its_formula_says) {
  for (const std::vector<int>& costs_us :
       std::vector<std::vector<int>>{{10, 10, 10}, {20, 5, 5}, {5, 5, 20}, {10, 10, 10, 10, 10}}) {
    EXPECT_NEAR(reached("ET", costs_us), expected(costs_us), 0.04);
    EXPECT_NEAR(reached("ET", costs_us, true), expected(costs_us), 0.04);
  }
}

TEST(Overload, estimated_time_falls_below_half_only_if_most_of_the_work_is_in_front) {
  EXPECT_GT(reached("ET", {10, 10, 10}), 0.7);
  EXPECT_LT(reached("ET", {50, 2, 2}), 0.5);
}

TEST(Overload, estimated_time_does_not_come_to_a_last_operator_with_little_work) {
  // Less than what the first one lacks of another worker, so its turn never comes.
  EXPECT_EQ(expected({200, 200, 1}), 0);
  EXPECT_LT(reached("ET", {200, 200, 1}), 0.02);
}

TEST(Overload, the_others_that_look_at_the_end_or_at_throughput_lose_nothing) {
  EXPECT_NEAR(reached("LP", {10, 10, 10}), 1, 0.02);
  EXPECT_NEAR(reached("CT", {10, 10, 10}), 1, 0.02);
}

}  // namespace
}  // namespace penstock::bench::policies
