#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "bench/policies/simulator.hpp"

namespace penstock::bench::policies {
namespace {

using policy::OperatorView;

class Furthest final : public policy::Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double /*now*/) override {
    for (int i = static_cast<int>(operators.size()) - 1; i >= 0; --i) {
      if (schedulable(operators[static_cast<std::size_t>(i)])) return i;
    }
    return policy::kNobody;
  }
};

class Stubborn final : public policy::Policy {
 public:
  [[nodiscard]] int pick(std::span<const OperatorView> operators, double /*now*/) override {
    return static_cast<int>(operators.size()) - 1;
  }
};

Simulated run(const Topology& topology, Machine machine, Arrivals arrivals = {}) {
  Furthest furthest;
  return simulate(topology, machine, arrivals, furthest);
}

Machine two(std::int64_t room = 100) { return {.workers = 2, .room = room}; }

TEST(Simulator, nothing_is_lost_or_doubled_in_any_topology) {
  for (const Topology& topology :
       {chain(12, {.selectivity = 0.8}), data_parallel(12, {}), tree(6, {.selectivity = 0.9}),
        reverse_tree(6, {}), query("q2", 3)}) {
    const bool fed = topology.nodes.front().source;
    for (const int workers : {1, 2, 7}) {
      const auto found =
          run(topology, {.workers = workers, .room = 10}, {.rate = fed ? 0.0 : 10'000.0});
      EXPECT_GT(found.left, 100U);
      EXPECT_EQ(found.entered + found.added, found.left + found.dropped + found.inside);
    }
  }
}

TEST(Simulator, tuples_leave_in_the_order_in_which_they_came) {
  for (const Topology& topology :
       {chain(5, {.selectivity = 0.8}), data_parallel(12, {}), tree(4, {}), reverse_tree(4, {})}) {
    EXPECT_EQ(run(topology, {.workers = 5, .room = 10}).out_of_order, 0U);
  }
  for (const auto name : query_names()) {
    for (const bool whole : {false, true}) {
      const Machine eight{.workers = 8, .whole_slices = whole};
      EXPECT_EQ(run(query(name, 8), eight, {.rate = 50'000}).out_of_order, 0U) << name;
    }
  }
}

TEST(Simulator, tuples_that_pass_each_other_are_counted) {
  // A tree read as if it had one order: leaves are left whenever a worker comes by.
  Topology mixed = tree(4, {});
  mixed.one_order = true;
  EXPECT_GT(run(mixed, two()).out_of_order, 0U);
}

TEST(Simulator, a_chain_is_as_many_times_as_fast_as_it_has_workers) {
  const auto one = run(chain(12, {}), {.workers = 1, .room = 100});
  EXPECT_NEAR(one.throughput, 1e6 / 1210, 10);
  for (const int workers : {2, 4, 6}) {
    const auto found = run(chain(12, {}), {.workers = workers, .room = 100});
    EXPECT_NEAR(found.throughput / one.throughput, workers, 0.05 * workers);
    EXPECT_NEAR(found.busy_share, 1, 0.02);
  }
}

TEST(Simulator, no_more_workers_than_allowed_are_at_an_operator) {
  const Topology serial{.nodes = {{.cost_ns = 100'000}}};
  const auto found = run(serial, {.workers = 4}, {.backlog = 10});
  EXPECT_NEAR(found.throughput, 10'000, 10);
  EXPECT_NEAR(found.busy_share, 0.25, 0.001);
  const Topology three{.nodes = {{.cost_ns = 100'000, .most_workers = 3}}};
  EXPECT_NEAR(run(three, {.workers = 4}, {.backlog = 10}).throughput, 30'000, 30);
}

TEST(Simulator, a_tuple_that_meets_nobody_takes_as_long_as_its_operators) {
  const auto found = run(query("q3", 2), {.workers = 2}, {.rate = 100});
  EXPECT_NEAR(found.latency_us.p50, 15, 0.01);
  EXPECT_EQ(found.waiting, 0);
}

TEST(Simulator, what_comes_too_fast_piles_up_before_the_first_operator) {
  const Topology one{.nodes = {{.cost_ns = 100'000}}};
  const auto found = run(one, {.workers = 1}, {.rate = 15'000});
  EXPECT_NEAR(static_cast<double>(found.waiting), 5'000, 5);
  EXPECT_NEAR(found.throughput, 10'000, 5);
  EXPECT_GT(found.mean_latency_us, 100'000);
}

TEST(Simulator, waiting_in_a_backlog_that_stays_the_same_is_no_latency) {
  const Topology one{.nodes = {{.cost_ns = 100'000}}};
  const auto found = run(one, {.workers = 1}, {.backlog = 1'000});
  EXPECT_NEAR(found.mean_latency_us, 100, 0.01);
  EXPECT_EQ(found.waiting, 1'000);
}

TEST(Simulator, beginning_with_another_operator_takes_time) {
  const Topology one{.nodes = {{.cost_ns = 100'000}}};
  const auto found = run(one, {.workers = 1, .slice_ns = 0, .switch_ns = 100'000}, {.backlog = 10});
  EXPECT_NEAR(found.throughput, 5'000, 5);
  EXPECT_NEAR(found.busy_share, 0.5, 0.01);
}

TEST(Simulator, whole_slices_are_passed_on_when_their_worker_is_done) {
  const Topology two_steps{.nodes = {{.cost_ns = 100'000, .outputs = {1}}, {.cost_ns = 100'000}}};
  const Arrivals backlog{.backlog = 1'000};
  const auto one_by_one = run(two_steps, {.workers = 2, .slice_ns = 1'000'000}, backlog);
  EXPECT_NEAR(one_by_one.mean_latency_us, 200, 20);
  const auto whole =
      run(two_steps, {.workers = 2, .slice_ns = 1'000'000, .whole_slices = true}, backlog);
  // Ten are taken at a time: those before a tuple and behind it take as long as itself at both.
  EXPECT_NEAR(whole.latency_us.p50, 1'550, 60);
  EXPECT_NEAR(whole.throughput, one_by_one.throughput, 0.01 * one_by_one.throughput);
  EXPECT_EQ(whole.entered, whole.left + whole.inside);
  EXPECT_EQ(whole.out_of_order, 0U);
}

TEST(Simulator, a_slice_that_is_shorter_than_a_tuple_is_one_tuple) {
  const Topology one{.nodes = {{.cost_ns = 100'000}}};
  const auto found = run(one, {.workers = 1, .slice_ns = 1, .whole_slices = true}, {.backlog = 10});
  EXPECT_NEAR(found.throughput, 10'000, 5);
}

TEST(Simulator, a_full_queue_stops_whoever_fills_it) {
  const auto found = run(chain(2, {.cost_ns = 100'000, .end_ns = 1'000}), two(3));
  EXPECT_LE(found.inside, 2 * 3 + 2U);
  // As many as wait before it, and it itself.
  EXPECT_LE(found.mean_latency_us, 900);
}

TEST(Simulator, selectivity_is_kept_on_average_and_counted_out_of_throughput) {
  const Topology filter{
      .nodes = {{.cost_ns = 10'000, .selectivity = 0.3, .outputs = {1}}, {.cost_ns = 10'000}}};
  const auto found = run(filter, {.workers = 1}, {.backlog = 10});
  const auto share = static_cast<double>(found.left) / static_cast<double>(found.entered);
  EXPECT_NEAR(share, 0.3, 0.01);
  EXPECT_NEAR(found.throughput, 1e5 / 1.3, 1'000);
}

TEST(Simulator, the_same_seed_gives_the_same_result_and_another_one_another) {
  const auto latency = [](std::uint64_t seed) {
    return run(tree(6, {}), {.workers = 3, .room = 50, .seed = seed}).mean_latency_us;
  };
  EXPECT_EQ(latency(1), latency(1));
  EXPECT_NE(latency(1), latency(2));
}

TEST(Simulator, a_policy_that_chooses_what_cannot_run_is_refused) {
  Stubborn stubborn;
  try {
    static_cast<void>(simulate(chain(3, {}), two(), {}, stubborn));
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_EQ(std::string(error.what()), "the policy chose operator 3, which cannot be run");
  }
}

TEST(Topology, what_is_visited_follows_from_selectivities_and_lots) {
  EXPECT_EQ(chain(3, {.selectivity = 0.5}).visits(), (std::vector<double>{1, 1, 0.5, 0.25}));
  EXPECT_EQ(data_parallel(2, {}).visits(), (std::vector<double>{1, 0.5, 0.5, 1}));
  EXPECT_EQ(tree(2, {}).visits(), (std::vector<double>{1, 1, 0.5, 0.5}));
  EXPECT_EQ(reverse_tree(2, {}).visits(), (std::vector<double>{1, 0.5, 0.5, 1}));
  EXPECT_EQ(tree(6, {}).nodes.size(), 64U);
  EXPECT_EQ(reverse_tree(6, {}).nodes.size(), 64U);
}

TEST(Topology, no_more_workers_have_work_than_the_slowest_operator_lets) {
  const Busy busy{.cost_ns = 100'000, .end_ns = 0};
  EXPECT_TRUE(chain(4, busy).employs(4));
  EXPECT_FALSE(chain(4, busy).employs(5));
  EXPECT_TRUE(query("q3", 16).employs(16));  // without an operator that only one may be at
  EXPECT_TRUE(query("q4", 16).employs(16));
  EXPECT_FALSE(query("q4", 64).employs(64));
}

TEST(Topology, capacity_is_that_of_all_workers_or_of_the_slowest_operator) {
  const Busy busy{.cost_ns = 100'000, .end_ns = 0};
  EXPECT_DOUBLE_EQ(chain(4, busy).capacity(2), 5'000);
  EXPECT_DOUBLE_EQ(chain(4, busy).capacity(100), 10'000);
  EXPECT_DOUBLE_EQ(data_parallel(4, busy).capacity(100), 40'000);
}

}  // namespace
}  // namespace penstock::bench::policies
