// Random flows on every threading model against one thread running the operators one by one.

#include <chrono>
#include <condition_variable>
#include <gtest/gtest.h>
#include <mutex>
#include <string>

#include "engine/always_room.hpp"
#include "engine/stress/random_flow.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using stress::Outcome;
using stress::RandomFlow;
using stress::Values;

constexpr std::uint64_t kFlows = 60;

struct Model {
  const char* name;
  Threading threading;
};

class RandomFlowStress : public testing::TestWithParam<Model> {
 protected:
  void TearDown() override {
    EXPECT_EQ(support::live_batches, 0) << "buffers were kept";
    EXPECT_EQ(support::live_streams, 0) << "an input was kept";
  }

  static std::string trace(const RandomFlow& flow) {
    const auto options = flow.options(GetParam().threading);
    return "seed " + std::to_string(flow.seed) + ": " + std::to_string(flow.topology().size()) +
           " operators, " + std::to_string(options.threads) + " threads, capacity " +
           std::to_string(options.queue_capacity) + ", rows per tuple " +
           std::to_string(options.rows_per_tuple);
  }
};

INSTANTIATE_TEST_SUITE_P(Models, RandomFlowStress,
                         testing::Values(Model{"dedicated", Threading::kDedicated},
                                         Model{"dynamic", Threading::kDynamic},
                                         Model{"conveyor", Threading::kConveyor},
                                         Model{"automatic", Threading::kAutomatic}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(RandomFlowStress, gives_the_same_rows_in_the_same_order_as_one_thread) {
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= kFlows; ++seed) {
    const RandomFlow flow{.seed = seed};
    SCOPED_TRACE(trace(flow));
    const auto expected = stress::run(flow, Threading::kManual);
    ASSERT_EQ(stress::run(flow, GetParam().threading), expected);
    for (const auto& batch : expected.batches) rows += batch.size();
  }
  EXPECT_GT(rows, kFlows * 10) << "flows that give nothing prove nothing";
}

// The number of threads is forced to change between any two batches, down to one and up again.
TEST_P(RandomFlowStress, gives_the_same_rows_while_threads_come_and_go) {
  for (std::uint64_t seed = 3001; seed <= 3000 + kFlows; ++seed) {
    const RandomFlow flow{.seed = seed};
    SCOPED_TRACE(trace(flow));
    const auto expected = stress::run(flow, Threading::kManual);
    auto options = flow.options(GetParam().threading);
    options.elastic = seed % 2 == 0;
    options.period = std::chrono::microseconds(200);
    options.cpu_rule = always_room;
    ProcessingElement element(flow.topology(), flow.input(), options);
    stress::Random random(seed);
    Outcome outcome;
    while (auto batch = element.next()) {
      outcome.batches.push_back(support::read_column(std::move(*batch)));
      element.limit_threads(1 + stress::below(random, 8));
    }
    ASSERT_EQ(outcome, expected);
  }
}

TEST_P(RandomFlowStress, fails_at_the_same_row_after_the_same_output_as_one_thread) {
  std::size_t failures = 0;
  for (std::uint64_t seed = 1001; seed <= 1000 + kFlows; ++seed) {
    const RandomFlow flow{.seed = seed, .may_fail = true};
    SCOPED_TRACE(trace(flow));
    const auto expected = stress::run(flow, Threading::kManual);
    ASSERT_EQ(stress::run(flow, GetParam().threading), expected);
    failures += expected.failed ? 1 : 0;
  }
  EXPECT_GT(failures, kFlows / 10) << "flows that never fail prove nothing";
}

TEST_P(RandomFlowStress, can_be_closed_at_any_moment) {
  for (std::uint64_t seed = 2001; seed <= 2000 + kFlows; ++seed) {
    const RandomFlow flow{.seed = seed};
    SCOPED_TRACE(trace(flow));
    const auto expected = stress::run(flow, Threading::kManual);
    ProcessingElement element(flow.topology(), flow.input(), flow.options(GetParam().threading));
    for (std::size_t taken = 0; taken < seed % 5 && taken < expected.batches.size(); ++taken) {
      ASSERT_EQ(support::read_column(*element.next()), expected.batches[taken]);
    }
    element.close();
    ASSERT_EQ(support::live_streams, 0);
  }
}

// The canary: an operator that claims to have no state, and makes the first tuple wait until the
// second has overtaken it. If that went unnoticed, the comparisons above would notice nothing.
TEST(RandomFlowCanary, an_operator_that_lies_about_its_state_gives_other_rows_than_one_thread) {
  const auto run_with = [](Threading threading) {
    std::mutex mutex;
    std::condition_variable second_passed;
    std::int64_t seen = 0;
    auto liar = std::make_unique<support::IntOperator>([&](const Values& values) -> Values {
      std::unique_lock lock(mutex);
      if (values[0] == 0 && threading != Threading::kManual) {
        second_passed.wait(lock, [&] { return seen > 0; });
      }
      ++seen;
      second_passed.notify_one();
      return {values[0] * 10 + seen};
    });
    graph::TopologyBuilder builder("canary");
    const int node = builder.add("liar", graph::Kind::kStateless, 1, 1, std::move(liar));
    builder.connect(graph::kSource, 0, node, 0);
    builder.connect(node, 0, graph::kSink, 0);
    ProcessingElement element(std::move(builder).build(), support::make_int_input({{0}, {1}}),
                              Options{.threading = threading, .threads = 2});
    return stress::run(element);
  };
  EXPECT_EQ(run_with(Threading::kManual).batches, (std::vector<Values>{{1}, {12}}));
  EXPECT_EQ(run_with(Threading::kConveyor).batches, (std::vector<Values>{{2}, {11}}));
}

}  // namespace
}  // namespace penstock
