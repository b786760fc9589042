// Loops one behind the other, in the real engine, on several threads against one.

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"

#include "loop/loops.hpp"
#include "support/chain.hpp"
#include "support/int_stream.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using loop::Loop;
using loop::LoopOperator;
using loop::Ports;
using loops::Ints;

// Takes a number of rows that changes with each turn, and leaves what is short at the end.
Loop by_turns(Ports& ports, std::int64_t most) {
  std::int64_t turn = 0;
  while (co_await ports.all({0, 1 + (turn % most)})) {
    auto values = support::read_column(ports.in(0).take(1 + (turn % most)));
    for (auto& value : values) value = (3 * value) + turn;
    ++turn;
    tuple::Batch made = support::make_int_batch(std::move(values));
    co_await ports.out().push(std::move(made));
  }
  tuple::Batch rest = ports.in(0).take();
  co_await ports.out().push(std::move(rest));
}

Loop fail_at(Ports& ports, std::int64_t bad) {
  while (co_await ports.all({0, 1})) {
    tuple::Batch row = ports.in(0).take(1);
    if (support::read_column(row).front() % bad == bad - 1) throw std::runtime_error("bad row");
    co_await ports.out().push(std::move(row));
  }
}

graph::Topology chain(int loops, std::int64_t bad) {
  graph::TopologyBuilder builder("loops");
  int upstream = graph::kSource;
  for (int i = 0; i < loops; ++i) {
    auto options = loops::with_ports({"in"});
    options.quantum.length = std::chrono::nanoseconds(i % 2);  // every other one pauses at once
    options.wake = i % 3 == 0 ? LoopOperator::Wake::kRun : LoopOperator::Wake::kRow;
    const bool fails = bad > 0 && i == loops / 2;
    auto body = std::make_unique<LoopOperator>(std::move(options), [i, fails, bad](Ports& ports) {
      return fails ? fail_at(ports, bad) : by_turns(ports, 2 + i);
    });
    const int node =
        builder.add("loop" + std::to_string(i), LoopOperator::kKind, 1, 1, std::move(body));
    builder.connect(upstream, 0, node, 0);
    upstream = node;
  }
  builder.connect(upstream, 0, graph::kSink, 0);
  return std::move(builder).build();
}

struct Outcome {
  Ints values;
  std::int64_t failed_at = -1;

  bool operator==(const Outcome&) const = default;
};

Outcome run(Threading threading, int threads, std::int64_t bad) {
  Options options;
  options.threading = threading;
  options.threads = threads;
  options.rows_per_tuple = 7;
  options.queue_capacity = 2;
  ProcessingElement element(chain(8, bad),
                            support::make_int_input(support::counted_batches(20, 50)), options);
  Outcome outcome;
  try {
    while (auto batch = element.next()) {
      for (const auto value : support::read_column(std::move(*batch))) {
        outcome.values.push_back(value);
      }
    }
  } catch (const engine::FlowStopped&) {
    outcome.failed_at = element.failure()->rows.first;
  }
  return outcome;
}

TEST(LoopsStress, give_the_same_rows_on_several_threads_as_on_one) {
  const Outcome expected = run(Threading::kManual, 1, 0);
  EXPECT_EQ(expected.values.size(), 1000U);
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (const auto threading : {Threading::kDynamic, Threading::kConveyor}) {
      ASSERT_EQ(run(threading, 4, 0), expected);
    }
  }
  EXPECT_EQ(support::live_batches, 0);
}

TEST(LoopsStress, a_failure_of_one_while_others_wait_comes_behind_the_same_rows) {
  const Outcome expected = run(Threading::kManual, 1, 200);
  EXPECT_GE(expected.failed_at, 0);
  EXPECT_GT(expected.values.size(), 0U);
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (const auto threading : {Threading::kDynamic, Threading::kConveyor}) {
      ASSERT_EQ(run(threading, 4, 200), expected);
    }
  }
  EXPECT_EQ(support::live_batches, 0);
}

TEST(LoopsStress, can_be_closed_while_all_of_them_wait) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    Options options;
    options.threading = Threading::kDynamic;
    options.threads = 4;
    ProcessingElement element(chain(8, 0), support::make_int_input(support::counted_batches(50, 5)),
                              options);
    for (int taken = 0; taken < repeat % 4; ++taken) (void)element.next();
    element.close();
  }
  EXPECT_EQ(support::live_batches, 0);
}

}  // namespace
}  // namespace penstock
