#include "penstock/engine/completion.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>

#include "engine/run_as.hpp"

namespace penstock {
namespace {

using engine::Completion;
using engine::ProcessingElement;
using graph::kSink;
using graph::kSource;
using support::add;
using support::drain;
using support::drain_until_it_fails;
using support::fail_at;
using support::Graph;
using support::IntOperator;
using support::make_int_input;
using support::one_by_one;
using support::paced;
using support::Values;

TEST(Completion, takes_along_who_works_for_nobody_else) {
  Graph graph;
  const int first = graph.stateless(add(0));
  const int ender = graph.stateful(paced({}));
  const int behind = graph.stateful(paced({}));
  const auto topology = graph.chain({first, ender, behind}).build();
  Completion completion(topology);
  completion.complete(ender, 7);
  EXPECT_TRUE(completion.is_complete(first));
  EXPECT_FALSE(completion.is_complete(behind));
  EXPECT_EQ(completion.input_unwanted_since(), 7U);
}

TEST(Completion, of_a_diamond_is_that_of_its_later_side) {
  Graph graph;
  const int first = graph.stateless(add(0));
  const int left = graph.stateful(paced({}));
  const int right = graph.stateful(paced({}));
  const auto topology = graph.chain({first, left}).edge(first, right).edge(right, kSink).build();
  Completion completion(topology);
  completion.complete(right, 9);
  EXPECT_FALSE(completion.is_complete(first));
  completion.complete(left, 4);
  EXPECT_TRUE(completion.is_complete(first));
  EXPECT_EQ(completion.input_unwanted_since(), 9U);
}

TEST(Completion, is_as_early_as_the_earliest_on_the_way) {
  Graph graph;
  const int first = graph.stateful(paced({}));
  const int second = graph.stateful(paced({}));
  const auto topology = graph.chain({first, second}).build();
  Completion completion(topology);
  completion.complete(first, 9);
  completion.complete(second, 4);
  EXPECT_EQ(completion.input_unwanted_since(), 4U);
}

TEST(Completion, an_edge_that_leads_back_keeps_nobody_alive_by_itself) {
  Graph graph;
  const int head = graph.stateful(paced({}), 2, 1);
  const int tail = graph.stateful(paced({}));
  const int ender = graph.stateful(paced({}));
  const auto topology = graph.chain({head, tail, ender}).edge(tail, head, 1).build();
  Completion completion(topology);
  completion.complete(ender, 3);
  EXPECT_TRUE(completion.is_complete(head));
  EXPECT_TRUE(completion.is_complete(tail));
}

TEST(Completion, whoever_tells_a_needed_operator_something_is_needed) {
  Graph graph;
  const int head = graph.stateful(paced({}), 2, 1);
  const int tail = graph.stateful(paced({}));
  const int ender = graph.stateful(paced({}));
  const auto topology =
      graph.chain({head, tail, ender}).edge(tail, head, 1).edge(head, kSink).build();
  Completion completion(topology);
  completion.complete(ender, 3);
  EXPECT_FALSE(completion.is_complete(tail));
}

TEST(Completion, only_operators_with_state_keep_pace) {
  Graph graph;
  const int stateless = graph.stateless(add(0));
  const int stateful = graph.stateful(paced({}));
  const auto topology = graph.chain({stateless, stateful}).build();
  EXPECT_FALSE(engine::keeps_pace(topology.node(stateless)));
  EXPECT_TRUE(engine::keeps_pace(topology.node(stateful)));
}

class CompletionOfFlow : public support::OnModels {};
INSTANTIATE_TEST_SUITE_P(Models, CompletionOfFlow, support::every_way(), support::run_as_name);

TEST_P(CompletionOfFlow, drops_what_still_comes_and_finishes_who_is_behind) {
  std::atomic<int> seen{0};
  Graph graph;
  const int first = graph.stateless(add(0));
  const int ender = graph.stateful(paced({.last = 3, .farewell = 50, .seen = &seen}));
  const int behind = graph.stateful(paced({.farewell = 99}));
  ProcessingElement element(graph.chain({first, ender, behind}).build(),
                            make_int_input({{0, 1}, {2, 3, 4, 5}, {6}}), with());
  EXPECT_EQ(drain(element), (Values{0, 1, 2, 3, 99})) << "50 comes of finish(), which was no more";
  EXPECT_EQ(seen, 4);
}

TEST_P(CompletionOfFlow, ends_an_input_that_would_go_on_and_on) {
  constexpr int kBatches = 100'000;
  Graph graph;
  const int ender = graph.stateful(paced({.last = 3}));
  const int before = support::pulls;
  ProcessingElement element(graph.chain({ender}).build(), make_int_input(one_by_one(kBatches)),
                            with());
  EXPECT_EQ(drain(element), (Values{0, 1, 2, 3}));
  const int pulled = support::pulls - before;
  EXPECT_LT(pulled, kBatches / 10) << "no more than were under way";
  EXPECT_FALSE(element.next());
  EXPECT_EQ(support::pulls - before, pulled);
}

TEST_P(CompletionOfFlow, of_one_side_leaves_the_other_as_it_is) {
  Graph graph;
  const int first = graph.stateless(add(0));
  const int ender = graph.stateful(paced({.last = 1}));
  const int other = graph.stateful(paced({.farewell = 70}));
  const int hundreds = graph.stateless(add(100));
  graph.chain({first, ender}).edge(first, other).edge(other, hundreds).edge(hundreds, kSink);
  ProcessingElement element(graph.build(), make_int_input(one_by_one(5)), with());
  Values expected{0, 100, 1, 101, 102, 103, 104, 170};
  EXPECT_EQ(drain(element), expected);
}

TEST_P(CompletionOfFlow, of_both_sides_ends_the_input) {
  Graph graph;
  const int first = graph.stateless(add(0));
  const int left = graph.stateful(paced({.last = 1}));
  const int right = graph.stateful(paced({.last = 3}));
  graph.chain({first, left}).edge(first, right).edge(right, kSink);
  const int before = support::pulls;
  ProcessingElement element(graph.build(), make_int_input(one_by_one(10'000)), with());
  EXPECT_EQ(drain(element), (Values{0, 0, 1, 1, 2, 3}));
  EXPECT_LT(support::pulls - before, 5'000);
}

TEST_P(CompletionOfFlow, makes_good_what_failed_too_late) {
  Graph graph;
  const int first = graph.stateless(fail_at(2));
  const int ender = graph.stateful(paced({.last = 1}));
  const int behind = graph.stateful(paced({.farewell = 9}));
  ProcessingElement element(graph.chain({first, ender, behind}).build(),
                            make_int_input(one_by_one(6), true), with());
  EXPECT_EQ(drain(element), (Values{0, 1, 9})) << "nor does it matter how the input ends";
}

TEST_P(CompletionOfFlow, does_not_make_good_what_failed_in_time) {
  Graph graph;
  const int first = graph.stateless(fail_at(2));
  const int ender = graph.stateful(paced({.last = 2}));
  ProcessingElement element(graph.chain({first, ender}).build(), make_int_input(one_by_one(6)),
                            with());
  EXPECT_EQ(drain_until_it_fails(element), (Values{0, 1}));
  EXPECT_EQ(element.failure()->rows.first, 2);
}

// The failing one comes before the one that completes in the same run, by another way.
TEST_P(CompletionOfFlow, does_not_make_good_what_failed_in_the_same_run) {
  Graph graph;
  const int bad = graph.stateless(fail_at(1));
  const int between = graph.stateless(add(0));
  const int ender = graph.stateful(paced({.last = 1}), 2);
  graph.edge(kSource, bad).edge(bad, between).edge(between, ender, 1);
  graph.edge(kSource, ender).edge(ender, kSink);
  ProcessingElement element(graph.build(), make_int_input(one_by_one(4)), with());
  EXPECT_EQ(drain_until_it_fails(element), (Values{0, 0}));
  EXPECT_EQ(element.failure()->node, bad);
}

TEST_P(CompletionOfFlow, a_failure_in_the_end_names_the_same_row_whoever_was_ahead) {
  Graph graph;
  const int ender = graph.stateful(paced({.last = 3}));
  const int behind = graph.stateful(paced({.bad = 9, .farewell = 9}));
  ProcessingElement element(graph.chain({ender, behind}).build(), make_int_input(one_by_one(50)),
                            with());
  EXPECT_EQ(drain_until_it_fails(element), (Values{0, 1, 2, 3}));
  EXPECT_EQ(element.failure()->rows.first, 4);
}

class CompletionMeanwhile : public support::OnModels {};
INSTANTIATE_TEST_SUITE_P(Models, CompletionMeanwhile, support::concurrent_ways(),
                         support::run_as_name);

// Completes with the first row, once the second one has failed before it.
struct Race {
  std::atomic<bool> failed{false};

  std::unique_ptr<graph::Operator> fails_at_one() {
    return std::make_unique<IntOperator>([this](const Values& values) {
      if (values[0] != 1) return values;
      failed = true;
      failed.notify_all();
      throw std::runtime_error("too far ahead");
    });
  }
};

class WaitsForFailure final : public graph::Operator {
 public:
  WaitsForFailure(Race& race, bool completes) : race_(&race), completes_(completes) {}
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    race_->failed.wait(false);
    output.emit(tuple.batch, 0);
    ran_ = true;
  }
  [[nodiscard]] bool completed() const noexcept override { return ran_ && completes_; }

 private:
  Race* race_;
  bool completes_;
  bool ran_ = false;
};

TEST_P(CompletionMeanwhile, a_run_that_failed_ahead_goes_on_where_nothing_failed) {
  for (const bool completes : {true, false}) {
    Race race;
    Graph graph;
    const int ahead = graph.stateless(race.fails_at_one());
    const int ender = graph.stateful(std::make_unique<WaitsForFailure>(race, completes));
    const int other = graph.stateless(add(100));
    graph.edge(kSource, ahead).edge(kSource, other).edge(ahead, ender);
    graph.edge(ender, kSink).edge(other, kSink);
    ProcessingElement element(graph.build(), make_int_input(one_by_one(4)), with());
    if (completes) {
      auto out = drain(element);
      std::ranges::sort(out);
      EXPECT_EQ(out, (Values{0, 100, 101, 102, 103}));
    } else {
      EXPECT_EQ(drain_until_it_fails(element).size(), 2U);
      EXPECT_EQ(element.failure()->node, ahead);
      EXPECT_EQ(element.failure()->rows.first, 1);
    }
  }
}

}  // namespace
}  // namespace penstock
