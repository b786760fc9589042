// A thread that an operator keeps cannot be suspended (S17); the control loop counts it from then
// on (S25). The rule itself is tested in control_loop_test.cpp, here that real models obey it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"

#include "engine/always_room.hpp"
#include "engine/run_as.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using support::Values;

constexpr std::int64_t kRows = 4000;
constexpr int kLooks = 2'000'000;
constexpr int kTimesToYield = 1000;

thread_local int worker_number = 0;  // 0 is the feeder

// The last worker is kept by the first operator until it is let go.
class LateThread : public testing::TestWithParam<Threading> {
 protected:
  [[nodiscard]] static bool dynamic() { return GetParam() == Threading::kDynamic; }
  // Automatic without `elastic` begins with all of them. With two, to go back to one would mean the
  // direct way, and that waits until no run is under way: there no thread is ever late.
  [[nodiscard]] static int most() { return dynamic() ? 2 : 3; }

  static Options options() {
    Options made{.threading = GetParam(),
                 .threads = most(),
                 .elastic = dynamic(),
                 .period = std::chrono::microseconds(10)};
    made.hooks.on_start = [](int worker) { worker_number = worker; };
    made.cpu_rule = always_room;
    return made;
  }

  graph::Topology topology() {
    support::Graph graph;
    const int first = graph.stateless(step([this] {
      if (worker_number != most() - 1) return;
      kept_ = true;
      kept_.notify_all();
      let_go_.wait(false);
    }));
    // The others give way meanwhile, so that it gets a run.
    const int second = graph.stateless(step([this] {
      for (int i = 0; i < kTimesToYield && !kept_; ++i) std::this_thread::yield();
    }));
    return graph.chain({first, second}).build();
  }

  // Looks so often that the feeder has had its turn many times.
  [[nodiscard]] bool comes_to_decide(const std::string& reason, int previous, int chosen) const {
    for (int look = 0; look < kLooks; ++look) {
      for (const engine::Action& action : element_->actions()) {
        if (action.reason == reason && action.previous == previous && action.chosen == chosen) {
          return true;
        }
      }
      std::this_thread::yield();
    }
    return false;
  }

  std::atomic<bool> kept_{false};
  std::atomic<bool> let_go_{false};
  std::unique_ptr<ProcessingElement> element_;

 private:
  template <typename Then>
  static std::unique_ptr<support::IntOperator> step(Then then) {
    return std::make_unique<support::IntOperator>([then](const Values& values) {
      then();
      return values;
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Models, LateThread,
                         testing::Values(Threading::kDynamic, Threading::kAutomatic));

TEST_P(LateThread, is_counted_as_long_as_an_operator_keeps_it) {
  element_ = std::make_unique<ProcessingElement>(
      topology(), support::make_int_input(support::one_by_one(kRows)), options());
  Values out;
  std::thread feeder([&] {
    out = support::drain(*element_);
    kept_ = true;  // or the test would wait for ever for a worker that got nothing
    kept_.notify_all();
  });
  kept_.wait(false);
  element_->limit_threads(most() - 1);
  EXPECT_TRUE(comes_to_decide("held", most() - 1, most() - 1))
      << "nothing is learnt from such a period";
  EXPECT_TRUE(comes_to_decide("limits_changed", most() - 1, most())) << "the least level is raised";
  let_go_ = true;
  let_go_.notify_all();
  feeder.join();
  EXPECT_EQ(out.size(), static_cast<std::size_t>(kRows));
  EXPECT_TRUE(std::ranges::is_sorted(out));
}

}  // namespace
}  // namespace penstock
