// Random flows of operators that pause, complete and fail, on several threads against one.

#include <gtest/gtest.h>
#include <string>

#include "engine/run_as.hpp"
#include "engine/stress/random_flow.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using stress::below;
using stress::mix;
using stress::Outcome;
using stress::Random;
using stress::Values;

// What it makes depends on all it has seen, and so does when it pauses and completes.
class Moody final : public graph::Operator {
 public:
  struct Traits {
    std::uint64_t seed = 0;
    bool stateful = false;
    bool fails = false;  // at one value in about thirty
    int completes = 0;   // at one value in so many; 0 for never
    std::int64_t farewell = 0;
  };

  explicit Moody(Traits traits) : traits_(traits) {}

  void process(const tuple::Tuple& tuple, int port, graph::Output& output) override {
    Values made;
    for (const auto value : support::read_column(tuple.batch)) {
      const auto bits = mix(static_cast<std::uint64_t>(value) ^ traits_.seed);
      if (traits_.fails && bits % 31 == 0) throw std::runtime_error("a value nobody likes");
      if (traits_.stateful) {
        history_ = (history_ * 31 + value) % 1'000'003;
        pauses_ = static_cast<int>(mix(static_cast<std::uint64_t>(history_)) % 4);
        const auto completes = static_cast<std::uint64_t>(traits_.completes);
        if (completes != 0 && (bits >> 16U) % completes == 0) completed_ = true;
      }
      made.push_back((value + port + history_) % 1'000'003);
      if (completed_) break;
    }
    if (pauses_ != 0) {
      kept_ = std::move(made);
    } else {
      output.emit(support::make_int_batch(std::move(made)), 0);
    }
  }
  void finish(graph::Output& output) override {
    output.emit(support::make_int_batch({traits_.farewell + history_}), 0);
  }
  [[nodiscard]] bool paused() const noexcept override { return pauses_ != 0; }
  void resume(graph::Output& output) override {
    if (--pauses_ == 0) output.emit(support::make_int_batch(std::exchange(kept_, {})), 0);
  }
  [[nodiscard]] bool completed() const noexcept override { return completed_; }

 private:
  Traits traits_;
  std::int64_t history_ = 0;
  Values kept_;
  int pauses_ = 0;
  bool completed_ = false;
};

graph::Topology moody_flow(std::uint64_t seed) {
  Random random(seed);
  const int operators = 2 + below(random, 12);
  support::Graph graph;
  std::vector<int> nodes{graph::kSource};
  std::vector<bool> read{false};
  for (int i = 0; i < operators; ++i) {
    const bool stateful = random() % 2 == 0;
    auto body = std::make_unique<Moody>(Moody::Traits{.seed = random(),
                                                      .stateful = stateful,
                                                      .fails = random() % 6 == 0,
                                                      .completes = random() % 2 == 0 ? 12 : 0,
                                                      .farewell = 7 * i});
    const int inputs = 1 + below(random, 2);
    const int node = stateful ? graph.stateful(std::move(body), inputs)
                              : graph.stateless(std::move(body), inputs);
    for (int port = 0; port < inputs; ++port) {
      // Mostly the one before it, so that flows are deep.
      const auto from = random() % 3 == 0 ? random() % nodes.size() : nodes.size() - 1;
      graph.edge(nodes[from], node, port);
      read[from] = true;
    }
    nodes.push_back(node);
    read.push_back(false);
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!read[i]) graph.edge(nodes[i], graph::kSink);
  }
  return graph.build();
}

Outcome run(std::uint64_t seed, Threading threading) {
  Random random(seed);
  std::vector<Values> batches;
  for (std::int64_t value = 0; value < 60;) {
    auto& batch = batches.emplace_back();
    for (int rows = below(random, 5); rows >= 0; --rows) batch.push_back(value++);
  }
  const Options options{.rows_per_tuple = below(random, 3),
                        .threading = threading,
                        .threads = 4,
                        .queue_capacity = 1 + below(random, 4)};
  const int before = support::pulls;
  ProcessingElement element(moody_flow(seed), support::make_int_input(batches), options);
  auto outcome = stress::run(element);
  EXPECT_LE(support::pulls - before, std::ssize(batches) + 1);
  return outcome;
}

class PaceStress : public testing::TestWithParam<Threading> {};
INSTANTIATE_TEST_SUITE_P(Models, PaceStress,
                         testing::Values(Threading::kDedicated, Threading::kDynamic,
                                         Threading::kConveyor, Threading::kAutomatic));

TEST_P(PaceStress, operators_that_pause_complete_and_fail_give_what_one_thread_gives) {
  int failed = 0;
  int rows = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto expected = run(seed, Threading::kManual);
    ASSERT_EQ(run(seed, GetParam()), expected);
    failed += expected.failed ? 1 : 0;
    for (const auto& batch : expected.batches) rows += static_cast<int>(batch.size());
  }
  EXPECT_GT(failed, 20) << "flows that never fail prove less";
  EXPECT_LT(failed, 280);
  EXPECT_GT(rows, 1000);
  EXPECT_EQ(support::live_batches, 0);
}

}  // namespace
}  // namespace penstock
