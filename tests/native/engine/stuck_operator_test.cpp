// Operators that do not come back: the flow can be ended all the same, and nothing dangles.

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "penstock/engine/processing_element.hpp"

#include "engine/run_as.hpp"

namespace penstock {
namespace {

using engine::FlowStopped;
using engine::Options;
using engine::ProcessingElement;
using engine::Threading;

// What the test and the operator share; the operator may outlive the flow.
struct Gate {
  void enter() {
    entered = true;
    entered.notify_all();
    open.wait(false);
  }
  void wait_until_entered() const { entered.wait(false); }
  void let_go() {
    open = true;
    open.notify_all();
  }

  std::atomic<bool> entered{false};
  std::atomic<bool> open{false};
  std::atomic<bool> gone{false};  // the operator was destroyed
};

class Stuck final : public graph::Operator {
 public:
  explicit Stuck(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
  Stuck(const Stuck&) = delete;
  Stuck& operator=(const Stuck&) = delete;
  Stuck(Stuck&&) = delete;
  Stuck& operator=(Stuck&&) = delete;
  ~Stuck() override {
    gate_->gone = true;
    gate_->gone.notify_all();
  }
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    gate_->enter();
    output.emit(tuple.batch, 0);
  }

 private:
  std::shared_ptr<Gate> gate_;
};

std::unique_ptr<ProcessingElement> stuck_flow(const std::shared_ptr<Gate>& gate, Options options) {
  graph::TopologyBuilder builder("stuck");
  const int node =
      builder.add("stuck", graph::Kind::kStateful, 1, 1, std::make_unique<Stuck>(gate));
  builder.connect(graph::kSource, 0, node, 0);
  builder.connect(node, 0, graph::kSink, 0);
  options.patience = std::chrono::milliseconds(1);
  return std::make_unique<ProcessingElement>(std::move(builder).build(),
                                             support::make_int_input({{1}, {2}}), options);
}

void expect_all_gone(Gate& gate) {
  gate.let_go();
  gate.gone.wait(false);
  while (support::live_batches != 0) std::this_thread::yield();
}

// The operator keeps a worker, and the feeder waits for it.
TEST(StuckOperator, close_leaves_a_worker_behind_that_does_not_come_back) {
  const auto gate = std::make_shared<Gate>();
  auto element = stuck_flow(gate, {.threading = Threading::kDedicated});
  std::thread feeder([&] { EXPECT_THROW((void)element->next(), std::runtime_error); });
  gate->wait_until_entered();
  element->close();
  feeder.join();
  EXPECT_EQ(support::live_streams, 0) << "the input is given back at once";
  element.reset();
  EXPECT_FALSE(gate->gone) << "what the operator can reach is still there";
  expect_all_gone(*gate);
}

// The operator keeps the feeder itself.
TEST(StuckOperator, close_does_not_wait_for_ever_for_the_feeder) {
  const auto gate = std::make_shared<Gate>();
  auto element = stuck_flow(gate, {.threading = Threading::kManual});
  std::thread feeder([&] { EXPECT_THROW((void)element->next(), std::runtime_error); });
  gate->wait_until_entered();
  element->close();
  gate->let_go();
  feeder.join();
  EXPECT_EQ(support::live_streams, 0) << "given back when the operator came back";
  element.reset();
  expect_all_gone(*gate);
}

TEST(StuckOperator, an_interrupt_ends_the_wait_for_an_operator) {
  const auto gate = std::make_shared<Gate>();
  const auto interrupt = [gate] {
    gate->wait_until_entered();
    throw graph::Interrupted(std::make_exception_ptr(std::runtime_error("that is enough")));
  };
  auto element =
      stuck_flow(gate, {.threading = Threading::kDedicated, .check_interrupt = interrupt});
  EXPECT_THROW((void)element->next(), FlowStopped);
  ASSERT_TRUE(element->failure());
  EXPECT_EQ(element->failure()->node, engine::kNoOperator);
  EXPECT_TRUE(element->failure()->interrupted);
  element.reset();
  expect_all_gone(*gate);
}

class StuckOperatorOn : public support::OnModels {};

INSTANTIATE_TEST_SUITE_P(Models, StuckOperatorOn, support::concurrent_ways(), support::run_as_name);

// While one operator keeps its thread, the others go on with whatever does not depend on it.
TEST_P(StuckOperatorOn, other_operators_go_on_meanwhile) {
  const auto gate = std::make_shared<Gate>();
  std::atomic<int> passed = 0;
  auto count = std::make_unique<support::IntOperator>([&](const std::vector<std::int64_t>& values) {
    ++passed;
    passed.notify_all();
    return values;
  });
  graph::TopologyBuilder builder("stuck");
  const int first = builder.add("count", graph::Kind::kStateful, 1, 1, std::move(count));
  const int second =
      builder.add("stuck", graph::Kind::kStateful, 1, 1, std::make_unique<Stuck>(gate));
  builder.connect(graph::kSource, 0, first, 0);
  builder.connect(first, 0, second, 0);
  builder.connect(second, 0, graph::kSink, 0);
  ProcessingElement element(std::move(builder).build(),
                            support::make_int_input({{1}, {2}, {3}, {4}}), with());
  std::thread feeder([&] {
    int batches = 0;
    while (element.next()) ++batches;
    EXPECT_EQ(batches, 4);
  });
  gate->wait_until_entered();
  for (int seen = passed.load(); seen < 4; seen = passed.load()) passed.wait(seen);
  gate->let_go();
  feeder.join();
}

}  // namespace
}  // namespace penstock
