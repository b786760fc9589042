#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"

#include "support/int_stream.hpp"
#include "support/operators.hpp"
#include "support/paced.hpp"

namespace penstock::support {

using Values = std::vector<std::int64_t>;

struct RunAs {
  const char* name;
  engine::Threading threading;
  int threads;
  int queue_capacity = 16;
};

// Tests of what holds whoever runs the operators.
class OnModels : public testing::TestWithParam<RunAs> {
 protected:
  void TearDown() override {
    EXPECT_EQ(live_batches, 0) << "buffers were kept";
    EXPECT_EQ(live_streams, 0) << "the input was kept";
  }

  static engine::Options with(engine::Options options = {}) {
    options.threading = GetParam().threading;
    options.threads = GetParam().threads;
    options.queue_capacity = GetParam().queue_capacity;
    return options;
  }
};

inline auto every_way() {
  using engine::Threading;
  return testing::Values(RunAs{"manual", Threading::kManual, 1},
                         RunAs{"dedicated", Threading::kDedicated, 1},
                         RunAs{"dynamic_of_one", Threading::kDynamic, 1},
                         RunAs{"dynamic_of_five", Threading::kDynamic, 5},
                         RunAs{"dynamic_no_slack", Threading::kDynamic, 5, 1},
                         RunAs{"conveyor_of_one", Threading::kConveyor, 1},
                         RunAs{"conveyor_of_five", Threading::kConveyor, 5},
                         RunAs{"automatic_of_five", Threading::kAutomatic, 5});
}

// Those in which two operators are at work at the same time.
inline auto concurrent_ways() {
  using engine::Threading;
  return testing::Values(RunAs{"dedicated", Threading::kDedicated, 1},
                         RunAs{"dynamic_of_two", Threading::kDynamic, 2},
                         RunAs{"conveyor_of_two", Threading::kConveyor, 2});
}

inline std::string run_as_name(const testing::TestParamInfo<RunAs>& tested) {
  return tested.param.name;
}

// A graph as it is written down in a test.
class Graph {
 public:
  int stateless(std::unique_ptr<graph::Operator> body, int inputs = 1) {
    return add(graph::Kind::kStateless, std::move(body), inputs);
  }
  int stateful(std::unique_ptr<graph::Operator> body, int inputs = 1, int controls = 0) {
    return add(graph::Kind::kStateful, std::move(body), inputs, controls);
  }
  Graph& edge(int from, int to, int to_port = 0) {
    builder_.connect(from, 0, to, to_port);
    return *this;
  }
  Graph& chain(const std::vector<int>& nodes) {
    int from = graph::kSource;
    for (const int node : nodes) edge(std::exchange(from, node), node);
    return edge(from, graph::kSink);
  }
  graph::Topology build() { return std::move(builder_).build(); }

 private:
  int add(graph::Kind kind, std::unique_ptr<graph::Operator> body, int inputs = 1,
          int controls = 0) {
    return builder_.add("op" + std::to_string(size_++), kind, inputs, 1, std::move(body), controls);
  }

  graph::TopologyBuilder builder_{"graph"};
  int size_ = 0;
};

// All that comes out, row by row.
inline Values drain(engine::ProcessingElement& element) {
  Values out;
  while (auto batch = element.next()) {
    for (const auto value : read_column(std::move(*batch))) out.push_back(value);
  }
  return out;
}

// The same up to the failure.
inline Values drain_until_it_fails(engine::ProcessingElement& element) {
  Values out;
  try {
    while (auto batch = element.next()) {
      for (const auto value : read_column(std::move(*batch))) out.push_back(value);
    }
    ADD_FAILURE() << "it did not fail";
  } catch (const engine::FlowStopped&) {
  }
  return out;
}

inline std::vector<Values> one_by_one(std::int64_t end) {
  std::vector<Values> batches;
  for (std::int64_t value = 0; value < end; ++value) batches.push_back({value});
  return batches;
}

}  // namespace penstock::support
