// What travels beside rows: marks, the end of the input, and feedback to control ports (S15, C9).

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/graph/topology.hpp"

#include "support/chain.hpp"
#include "support/int_stream.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::FlowStopped;
using engine::Options;
using engine::ProcessingElement;
using graph::Kind;
using graph::kSink;
using graph::kSource;
using Values = std::vector<std::int64_t>;

// Puts a mark behind every value that is a multiple of ten.
class MarkTens final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    for (const auto value : support::read_column(tuple.batch)) {
      output.emit(support::make_int_batch({value}), 0);
      if (value % 10 == 0) output.punctuate(0);
    }
  }
};

// Adds up what lies between two marks, and tells the rest at the end.
class SumBetweenMarks final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& /*output*/) override {
    for (const auto value : support::read_column(tuple.batch)) sum_ += value;
  }
  void punctuate(int /*port*/, graph::Output& output) override { tell(output); }
  void finish(graph::Output& output) override { tell(output); }

 private:
  void tell(graph::Output& output) {
    output.emit(support::make_int_batch({std::exchange(sum_, 0)}), 0);
  }

  std::int64_t sum_ = 0;
};

// Lets through what is above the bar, and raises the bar to whatever comes in on its control port.
class Bar final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    Values kept;
    for (const auto value : support::read_column(tuple.batch)) {
      if (value > bar_) kept.push_back(value);
    }
    output.emit(support::make_int_batch(std::move(kept)), 0);
  }
  void control(const tuple::Tuple& tuple, int /*port*/) override {
    for (const auto value : support::read_column(tuple.batch)) bar_ = value;
  }

 private:
  std::int64_t bar_ = -1;
};

graph::Topology chain_of(std::vector<std::unique_ptr<graph::Operator>> bodies) {
  graph::TopologyBuilder builder("marks");
  int upstream = kSource;
  for (auto& body : bodies) {
    const int node =
        builder.add("op" + std::to_string(upstream + 1), Kind::kStateful, 1, 1, std::move(body));
    builder.connect(upstream, 0, node, 0);
    upstream = node;
  }
  builder.connect(upstream, 0, kSink, 0);
  return std::move(builder).build();
}

template <typename... Bodies>
std::vector<std::unique_ptr<graph::Operator>> list(Bodies... bodies) {
  std::vector<std::unique_ptr<graph::Operator>> made;
  (made.push_back(std::move(bodies)), ...);
  return made;
}

Values all_values(ProcessingElement& element) {
  Values all;
  while (auto batch = element.next()) {
    for (const auto value : support::read_column(std::move(*batch))) all.push_back(value);
  }
  return all;
}

class MarksTest : public testing::TestWithParam<support::Model> {
 protected:
  void TearDown() override {
    EXPECT_EQ(support::live_batches, 0) << "buffers were kept";
    EXPECT_EQ(support::live_streams, 0) << "the input was kept";
  }
};

INSTANTIATE_TEST_SUITE_P(Models, MarksTest, testing::ValuesIn(support::all_models()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(MarksTest, a_mark_keeps_its_place_among_the_rows) {
  ProcessingElement element(
      chain_of(list(std::make_unique<MarkTens>(), std::make_unique<SumBetweenMarks>())),
      support::make_int_input({{1, 2, 10, 4}, {20, 5, 6}}), GetParam().with({}));
  EXPECT_EQ(all_values(element), (Values{13, 24, 11}));
}

TEST_P(MarksTest, an_operator_that_does_not_care_hands_a_mark_on) {
  ProcessingElement element(chain_of(list(std::make_unique<MarkTens>(), support::add(100),
                                          support::add(1000), std::make_unique<SumBetweenMarks>())),
                            support::make_int_input({{10, 20}, {30}}),
                            GetParam().with({.rows_per_tuple = 1}));
  EXPECT_EQ(all_values(element), (Values{1110, 1120, 1130, 0}));
}

TEST_P(MarksTest, every_operator_finishes_once_after_those_before_it) {
  ProcessingElement element(chain_of(list(std::make_unique<SumBetweenMarks>(), support::add(1000),
                                          std::make_unique<SumBetweenMarks>())),
                            support::make_int_input({{1, 2}, {3}}), GetParam().with({}));
  EXPECT_EQ(all_values(element), (Values{1006}));
  EXPECT_FALSE(element.next()) << "the end is the end";
}

TEST_P(MarksTest, operators_finish_also_when_no_row_came) {
  ProcessingElement element(chain_of(list(std::make_unique<SumBetweenMarks>())),
                            support::make_int_input({}), GetParam().with({}));
  EXPECT_EQ(all_values(element), (Values{0}));
}

TEST_P(MarksTest, nobody_finishes_an_input_that_broke_off) {
  ProcessingElement element(chain_of(list(std::make_unique<SumBetweenMarks>())),
                            support::make_int_input({{1}}, true), GetParam().with({}));
  EXPECT_ANY_THROW((void)element.next());
}

// Never reaches its end in peace.
class FailsToFinish final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    output.emit(tuple.batch, 0);
  }
  void finish(graph::Output& /*output*/) override { throw std::runtime_error("not yet"); }
};

TEST_P(MarksTest, a_failure_at_the_end_comes_after_all_rows_and_blames_none) {
  ProcessingElement element(chain_of(list(std::make_unique<FailsToFinish>())),
                            support::make_int_input({{1, 2}, {3}}), GetParam().with({}));
  Values seen;
  try {
    while (auto batch = element.next()) {
      for (const auto value : support::read_column(std::move(*batch))) seen.push_back(value);
    }
    FAIL() << "the failure got lost";
  } catch (const FlowStopped&) {
    EXPECT_EQ(seen, (Values{1, 2, 3}));
    EXPECT_EQ(element.failure()->rows.first, 3);
    EXPECT_EQ(element.failure()->rows.count, 0);
  }
}

// The bar follows what got through: whoever runs the operators, each tuple meets the bar that the
// tuple before it left behind.
TEST_P(MarksTest, feedback_reaches_a_control_port_before_the_next_tuple) {
  graph::TopologyBuilder builder("feedback");
  const int bar = builder.add("bar", Kind::kStateful, 2, 1, std::make_unique<Bar>(), 1);
  const int pass = builder.add("pass", Kind::kStateless, 1, 1, support::add(0));
  const int fork = builder.add(
      "fork", Kind::kStateless, 1, 2,
      std::make_unique<support::IntOperator>([](const Values& values) { return values; }, 2));
  builder.connect(kSource, 0, bar, 0);
  builder.connect(bar, 0, pass, 0);
  builder.connect(pass, 0, fork, 0);
  builder.connect(fork, 0, bar, 1);
  builder.connect(fork, 1, kSink, 0);
  std::vector<Values> batches;
  Values expected;
  std::int64_t highest = -1;
  for (std::int64_t i = 0; i < 400; ++i) {
    const std::int64_t value = (i * 7919) % 1009;
    batches.push_back({value});
    if (value > highest) expected.push_back(highest = value);
  }
  ProcessingElement element(std::move(builder).build(), support::make_int_input(batches),
                            GetParam().with({}));
  EXPECT_EQ(all_values(element), expected);
}

TEST_P(MarksTest, an_operator_may_control_itself) {
  graph::TopologyBuilder builder("feedback");
  const int bar = builder.add("bar", Kind::kStateful, 2, 1, std::make_unique<Bar>(), 1);
  builder.connect(kSource, 0, bar, 0);
  builder.connect(bar, 0, bar, 1);
  builder.connect(bar, 0, kSink, 0);
  ProcessingElement element(std::move(builder).build(),
                            support::make_int_input({{3}, {2}, {5}, {4}, {6}}),
                            GetParam().with({}));
  EXPECT_EQ(all_values(element), (Values{3, 5, 6}));
}

}  // namespace
}  // namespace penstock
