// Operators that pause, in every threading model (C12).

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "engine/run_as.hpp"

namespace penstock {
namespace {

using engine::ProcessingElement;
using support::add;
using support::drain;
using support::drain_until_it_fails;
using support::Graph;
using support::make_int_input;
using support::one_by_one;
using support::paced;
using support::Values;

class Pause : public support::OnModels {};
INSTANTIATE_TEST_SUITE_P(Models, Pause, support::every_way(), support::run_as_name);

TEST_P(Pause, loses_nothing_and_keeps_the_order) {
  Graph graph;
  const int first = graph.stateful(paced({.pauses = 3, .farewell = 70}));
  const int second = graph.stateless(add(100));
  const int third = graph.stateful(paced({.pauses = 1, .farewell = 80}));
  ProcessingElement element(graph.chain({first, second, third}).build(),
                            make_int_input({{0, 1, 2}, {3}, {4, 5}}), with());
  EXPECT_EQ(drain(element), (Values{100, 101, 102, 103, 104, 105, 170, 80}));
}

TEST_P(Pause, a_failure_after_it_is_as_any_other) {
  Graph graph;
  const int first = graph.stateful(paced({.pauses = 2, .bad = 3, .fails_resumed = true}));
  ProcessingElement element(graph.chain({first}).build(), make_int_input(one_by_one(6)), with());
  EXPECT_EQ(drain_until_it_fails(element), (Values{0, 1, 2}));
  EXPECT_EQ(element.failure()->rows.first, 3);
}

TEST_P(Pause, an_operator_completes_after_it) {
  Graph graph;
  const int first = graph.stateful(paced({.pauses = 2, .last = 3, .farewell = 70}));
  const int second = graph.stateful(paced({.pauses = 1, .farewell = 80}));
  ProcessingElement element(graph.chain({first, second}).build(),
                            make_int_input({{0, 1}, {2, 3, 4}, {5}}), with());
  EXPECT_EQ(drain(element), (Values{0, 1, 2, 3, 80}));
}

TEST_P(Pause, rows_and_tuples_are_counted_once) {
  Graph graph;
  const int first = graph.stateful(paced({.pauses = 4}));
  ProcessingElement element(graph.chain({first}).build(), make_int_input({{0, 1, 2}, {3}}),
                            with({.observe = true}));
  EXPECT_EQ(drain(element).size(), 4U);
  const auto counted = element.metrics()->operators.at(0);
  EXPECT_EQ(counted.tuples, 2);
  EXPECT_EQ(counted.rows_in, 4);
  EXPECT_EQ(counted.rows_out, 4);
}

TEST_P(Pause, a_flow_that_is_closed_does_not_resume) {
  std::atomic<bool> resumed{false};
  Graph graph;
  const int first = graph.stateful(paced({.pauses = 1, .never_ends = &resumed}));
  ProcessingElement element(graph.chain({first}).build(), make_int_input(one_by_one(3)), with());
  std::thread closer([&] {
    resumed.wait(false);
    element.close();
  });
  EXPECT_THROW((void)element.next(), std::runtime_error);
  closer.join();
}

// The first operator pauses until the second one has run: somebody else must get a turn.
class PausesForAnother final : public graph::Operator {
 public:
  explicit PausesForAnother(std::atomic<bool>& other_ran) : other_ran_(&other_ran) {}
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    output.emit(tuple.batch, 0);
    if (++runs_ == 2) paused_ = true;
  }
  [[nodiscard]] bool paused() const noexcept override { return paused_; }
  void resume(graph::Output& /*output*/) override { paused_ = !other_ran_->load(); }

 private:
  std::atomic<bool>* other_ran_;
  int runs_ = 0;
  bool paused_ = false;
};

TEST(PauseOfOneThread, lets_the_same_thread_run_another_operator_in_the_meantime) {
  std::atomic<bool> ran{false};
  Graph graph;
  const int first = graph.stateful(std::make_unique<PausesForAnother>(ran));
  const int second = graph.stateful(std::make_unique<support::IntOperator>([&](Values values) {
    ran = true;
    return values;
  }));
  ProcessingElement element(
      graph.chain({first, second}).build(), make_int_input(one_by_one(4)),
      {.threading = engine::Threading::kDynamic, .threads = 1, .queue_capacity = 16});
  EXPECT_EQ(drain(element), (Values{0, 1, 2, 3}));
}

}  // namespace
}  // namespace penstock
