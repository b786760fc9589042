#include "penstock/engine/processing_element.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "support/int_stream.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::FlowStopped;
using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using graph::Kind;
using graph::kSink;
using graph::kSource;
using graph::TopologyBuilder;
using support::live_batches;
using support::live_streams;
using support::make_int_input;
using support::read_column;
using Values = std::vector<std::int64_t>;
using Operators = std::vector<std::unique_ptr<graph::Operator>>;

graph::Topology chain(Operators operators, Kind kind = Kind::kStateless) {
  TopologyBuilder builder("chain");
  int upstream = kSource;
  for (auto& body : operators) {
    const auto name = "op" + std::to_string(upstream + 1);
    const int node = builder.add(name, kind, 1, 1, std::move(body));
    builder.connect(upstream, 0, node, 0);
    upstream = node;
  }
  builder.connect(upstream, 0, kSink, 0);
  return std::move(builder).build();
}

template <typename... Bodies>
Operators list(Bodies... bodies) {
  Operators operators;
  (operators.push_back(std::move(bodies)), ...);
  return operators;
}

std::vector<Values> drain(ProcessingElement& element) {
  std::vector<Values> out;
  while (auto batch = element.next()) out.push_back(read_column(std::move(*batch)));
  return out;
}

struct Model {
  const char* name;
  Threading threading;
  int threads;
  int queue_capacity = 16;
};

// Every promise holds whoever runs the operators.
class ProcessingElementTest : public testing::TestWithParam<Model> {
 protected:
  void TearDown() override {
    EXPECT_EQ(live_batches, 0) << "buffers were kept";
    EXPECT_EQ(live_streams, 0) << "the input was kept";
  }

  static Options with(Options options = {}) {
    options.threading = GetParam().threading;
    options.threads = GetParam().threads;
    options.queue_capacity = GetParam().queue_capacity;
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Models, ProcessingElementTest,
                         testing::Values(Model{"manual", Threading::kManual, 1},
                                         Model{"dedicated", Threading::kDedicated, 1},
                                         Model{"dedicated_no_slack", Threading::kDedicated, 1, 1},
                                         Model{"dynamic_of_one", Threading::kDynamic, 1},
                                         Model{"dynamic_of_two", Threading::kDynamic, 2},
                                         Model{"dynamic_of_five", Threading::kDynamic, 5},
                                         Model{"dynamic_no_slack", Threading::kDynamic, 5, 1},
                                         Model{"conveyor_of_one", Threading::kConveyor, 1},
                                         Model{"conveyor_of_two", Threading::kConveyor, 2},
                                         Model{"conveyor_of_five", Threading::kConveyor, 5},
                                         Model{"automatic_of_one", Threading::kAutomatic, 1},
                                         Model{"automatic_of_five", Threading::kAutomatic, 5}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(ProcessingElementTest, runs_every_operator_in_order) {
  ProcessingElement element(chain(list(support::add(1), support::keep_even(), support::add(100))),
                            make_int_input({{1, 2, 3}, {4, 5}}), with());
  EXPECT_EQ(drain(element), (std::vector<Values>{{102, 104}, {106}}));
}

TEST_P(ProcessingElementTest, cuts_batches_into_tuples_of_the_asked_size) {
  ProcessingElement element(chain(list(support::add(0))), make_int_input({{1, 2, 3, 4, 5}, {6}}),
                            with({.rows_per_tuple = 2}));
  EXPECT_EQ(drain(element), (std::vector<Values>{{1, 2}, {3, 4}, {5}, {6}}));
}

TEST_P(ProcessingElementTest, passes_over_batches_without_rows_and_ends_on_an_empty_input) {
  ProcessingElement some(chain(list(support::add(0))), make_int_input({{}, {1}, {}}), with());
  EXPECT_EQ(drain(some), (std::vector<Values>{{1}}));
  ProcessingElement none(chain(list(support::add(0))), make_int_input({}), with());
  EXPECT_FALSE(none.next());
}

TEST_P(ProcessingElementTest, a_fan_out_delivers_each_tuple_down_every_branch_before_the_next) {
  TopologyBuilder builder("fan");
  const int split = builder.add(
      "split", Kind::kStateless, 1, 2,
      std::make_unique<support::IntOperator>([](const Values& values) { return values; }, 2));
  const int tens = builder.add("tens", Kind::kStateless, 1, 1, support::add(10));
  const int hundreds = builder.add("hundreds", Kind::kStateless, 1, 1, support::add(100));
  builder.connect(kSource, 0, split, 0);
  builder.connect(split, 0, tens, 0);
  builder.connect(split, 1, hundreds, 0);
  builder.connect(tens, 0, kSink, 0);
  builder.connect(hundreds, 0, kSink, 0);
  ProcessingElement element(std::move(builder).build(), make_int_input({{1}, {2}}), with());
  EXPECT_EQ(drain(element), (std::vector<Values>{{11}, {101}, {12}, {102}}));
}

TEST_P(ProcessingElementTest, a_failure_comes_after_the_rows_before_it_and_names_its_row) {
  ProcessingElement element(chain(list(support::add(0), support::fail_at(7))),
                            make_int_input({{1, 2, 3}, {4, 5, 6, 7, 8}, {9}}), with());
  EXPECT_EQ(read_column(*element.next()), (Values{1, 2, 3}));
  EXPECT_EQ(read_column(*element.next()), (Values{4, 5, 6}));
  for (int again = 0; again < 2; ++again) EXPECT_THROW((void)element.next(), FlowStopped);
  ASSERT_TRUE(element.failure());
  EXPECT_EQ(element.topology().node(element.failure()->node).name, "op1");
  EXPECT_EQ(element.failure()->rows.first, 6);
  EXPECT_EQ(element.failure()->rows.last(), 6);
  element.close();
}

TEST_P(ProcessingElementTest, the_earliest_failing_row_wins) {
  ProcessingElement element(chain(list(support::fail_at(5), support::fail_at(3))),
                            make_int_input({{1, 3, 5}}), with());
  EXPECT_EQ(read_column(*element.next()), (Values{1}));
  EXPECT_THROW((void)element.next(), FlowStopped);
  EXPECT_EQ(element.failure()->node, 1);
  EXPECT_EQ(element.failure()->rows.first, 1);
  element.close();
}

TEST_P(ProcessingElementTest, a_graph_with_state_is_not_run_again_to_find_the_row) {
  std::atomic<int> calls = 0;
  auto body = std::make_unique<support::IntOperator>([&calls](const Values&) -> Values {
    ++calls;
    throw std::runtime_error("no");
  });
  ProcessingElement element(chain(list(std::move(body)), Kind::kStateful),
                            make_int_input({{1, 2, 3}}), with());
  EXPECT_THROW((void)element.next(), FlowStopped);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(element.failure()->rows.first, 0);
  EXPECT_EQ(element.failure()->rows.last(), 2);
}

TEST_P(ProcessingElementTest, a_failure_that_no_single_row_repeats_names_the_whole_tuple) {
  auto body = std::make_unique<support::IntOperator>([](const Values& values) -> Values {
    if (values.size() > 2) throw std::runtime_error("too many at once");
    return values;
  });
  ProcessingElement element(chain(list(std::move(body))), make_int_input({{1, 2, 3, 4}}), with());
  EXPECT_THROW((void)element.next(), FlowStopped);
  EXPECT_EQ(element.failure()->rows.first, 0);
  EXPECT_EQ(element.failure()->rows.last(), 3);
}

TEST_P(ProcessingElementTest, an_interruption_is_not_tried_again) {
  std::atomic<int> calls = 0;
  auto body = std::make_unique<support::IntOperator>([&calls](const Values&) -> Values {
    ++calls;
    throw graph::Interrupted(std::make_exception_ptr(std::runtime_error("stop")));
  });
  ProcessingElement element(chain(list(std::move(body))), make_int_input({{1, 2, 3}}), with());
  EXPECT_THROW((void)element.next(), FlowStopped);
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(std::rethrow_exception(element.failure()->cause), std::runtime_error);
}

TEST_P(ProcessingElementTest, an_error_of_the_input_comes_out_after_the_rows_before_it) {
  ProcessingElement element(chain(list(support::add(0))), make_int_input({{1}}, true), with());
  EXPECT_EQ(read_column(*element.next()), (Values{1}));
  EXPECT_THROW((void)element.next(), tuple::StreamError);
}

TEST_P(ProcessingElementTest, closing_gives_the_input_back_at_once_and_is_no_clean_end) {
  ProcessingElement element(chain(list(support::add(0))), make_int_input({{1}, {2}}),
                            with({.rows_per_tuple = 1}));
  (void)element.next();
  element.close();
  EXPECT_EQ(live_streams, 0);
  EXPECT_THROW((void)element.next(), std::runtime_error);
  element.close();
}

TEST_P(ProcessingElementTest, an_operator_may_close_the_flow_that_runs_it) {
  ProcessingElement* self = nullptr;
  auto body = std::make_unique<support::IntOperator>([&self](const Values& values) {
    self->close();
    return values;
  });
  ProcessingElement element(chain(list(std::move(body))), make_int_input({{1}, {2}}), with());
  self = &element;
  EXPECT_THROW((void)element.next(), std::runtime_error);
  EXPECT_EQ(live_streams, 0);
}

TEST_P(ProcessingElementTest, an_operator_that_asks_its_own_flow_for_rows_fails_and_does_not_hang) {
  ProcessingElement* self = nullptr;
  auto body = std::make_unique<support::IntOperator>(
      [&self](const Values&) -> Values { return read_column(*self->next()); });
  ProcessingElement element(chain(list(std::move(body))), make_int_input({{1}}), with());
  self = &element;
  EXPECT_THROW((void)element.next(), FlowStopped);
  EXPECT_THROW(std::rethrow_exception(element.failure()->cause), std::logic_error);
}

TEST_P(ProcessingElementTest, a_forked_process_gets_an_error_and_not_half_a_flow) {
  ProcessingElement element(chain(list(support::add(0))), make_int_input({{1}}), with());
  const pid_t child = fork();
  if (child == 0) {
    try {
      (void)element.next();
      _exit(1);
    } catch (const std::runtime_error& error) {
      _exit(std::string(error.what()).find("start the flow after forking") == std::string::npos);
    }
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_P(ProcessingElementTest, a_queue_without_room_is_refused) {
  auto options = with();
  options.queue_capacity = 0;
  EXPECT_THROW(ProcessingElement(chain(list(support::add(0))), make_int_input({}), options),
               std::invalid_argument);
}

TEST_P(ProcessingElementTest, a_negative_tuple_size_is_refused) {
  EXPECT_THROW(ProcessingElement(chain(list(support::add(0))), make_int_input({}),
                                 with({.rows_per_tuple = -1})),
               std::invalid_argument);
}

}  // namespace
}  // namespace penstock
