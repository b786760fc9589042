// close() from other threads at any moment while next() runs: whatever was delivered by then is
// the beginning of the right result, nobody hangs and nothing is kept.

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>

#include "engine/always_room.hpp"
#include "engine/stress/random_flow.hpp"

namespace penstock {
namespace {

using engine::ProcessingElement;
using engine::Threading;
using stress::below;
using stress::Outcome;
using stress::RandomFlow;

constexpr std::uint64_t kFlows = 100;

struct Model {
  const char* name;
  Threading threading;
};

// When the closers strike: once so many batches have been taken, and a little later.
struct Moment {
  std::size_t taken = 0;
  int spins = 0;
};

// What the feeder and the closers know of each other.
class Progress {
 public:
  void took_one() { advance(taken_.load() + 1); }
  void ended() { advance(kEnd); }
  void wait_for(const Moment& moment) {
    for (auto seen = taken_.load(); seen < moment.taken; seen = taken_.load()) taken_.wait(seen);
    for (int i = 0; i < moment.spins && taken_.load() != kEnd; ++i) std::this_thread::yield();
  }

 private:
  static constexpr std::size_t kEnd = ~std::size_t{0};

  void advance(std::size_t taken) {
    taken_ = taken;
    taken_.notify_all();
  }

  std::atomic<std::size_t> taken_{0};
};

// Reads until the flow ends, fails or is closed; true when it was closed.
bool read_all(ProcessingElement& element, Progress& progress, Outcome& outcome) {
  try {
    while (auto batch = element.next()) {
      outcome.batches.push_back(support::read_column(std::move(*batch)));
      progress.took_one();
    }
  } catch (const engine::FlowStopped&) {
    outcome.failed = true;
    outcome.node = element.failure()->node;
    outcome.first_row = element.failure()->rows.first;
    outcome.last_row = element.failure()->rows.last();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "flow 'random' was closed before its input ended");
    return true;
  }
  return false;
}

class CloseStress : public testing::TestWithParam<Model> {
 protected:
  // One flow whose threads come and go, closed by two threads at once while it is read.
  static void close_while_reading(const RandomFlow& flow) {
    const auto expected = stress::run(flow, Threading::kManual);
    stress::Random random(flow.seed + 3);
    const Moment moment{.taken = static_cast<std::size_t>(
                            below(random, 1 + static_cast<int>(expected.batches.size()))),
                        .spins = below(random, 2) * below(random, 200)};
    auto options = flow.options(GetParam().threading);
    options.elastic = flow.seed % 2 == 0;
    options.period = std::chrono::microseconds(200);
    options.cpu_rule = always_room;
    SCOPED_TRACE("seed " + std::to_string(flow.seed) + ": " +
                 std::to_string(flow.topology().size()) + " operators, " +
                 std::to_string(options.threads) + " threads, capacity " +
                 std::to_string(options.queue_capacity) + ", closed after " +
                 std::to_string(moment.taken) + " of " + std::to_string(expected.batches.size()) +
                 " batches and " + std::to_string(moment.spins) + " spins");
    ProcessingElement element(flow.topology(), flow.input(), options);
    Progress progress;
    const auto strike = [&] {
      progress.wait_for(moment);
      element.limit_threads(1);
      element.close();
    };
    std::thread closer(strike);
    std::thread other(strike);
    Outcome outcome;
    const bool closed = read_all(element, progress, outcome);
    progress.ended();
    closer.join();
    other.join();
    ASSERT_EQ(support::live_streams, 0) << "close() came back and the input was kept";
    if (closed) {
      ASSERT_GE(outcome.batches.size(), moment.taken);
      ASSERT_LE(outcome.batches.size(), expected.batches.size());
      auto beginning = expected.batches;
      beginning.resize(outcome.batches.size());
      ASSERT_EQ(outcome.batches, beginning);
    } else {
      ASSERT_EQ(outcome, expected);
    }
  }

  void TearDown() override {
    EXPECT_EQ(support::live_batches, 0) << "buffers were kept";
    EXPECT_EQ(support::live_streams, 0) << "an input was kept";
  }
};

INSTANTIATE_TEST_SUITE_P(Models, CloseStress,
                         testing::Values(Model{"manual", Threading::kManual},
                                         Model{"dedicated", Threading::kDedicated},
                                         Model{"dynamic", Threading::kDynamic},
                                         Model{"conveyor", Threading::kConveyor},
                                         Model{"automatic", Threading::kAutomatic}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(CloseStress, a_flow_closed_by_others_gave_the_beginning_of_its_result) {
  for (std::uint64_t seed = 4001; seed <= 4000 + kFlows && !HasFatalFailure(); ++seed) {
    close_while_reading({.seed = seed});
  }
}

TEST_P(CloseStress, a_flow_closed_while_an_operator_fails_ends_by_one_or_the_other) {
  for (std::uint64_t seed = 5001; seed <= 5000 + kFlows && !HasFatalFailure(); ++seed) {
    close_while_reading({.seed = seed, .may_fail = true});
  }
}

}  // namespace
}  // namespace penstock
