#include "penstock/engine/governor.hpp"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

#include "penstock/engine/processing_element.hpp"

#include "engine/always_room.hpp"
#include "engine/run_as.hpp"

namespace penstock {
namespace {

using engine::Controller;
using engine::ProcessingElement;
using engine::Threading;
using support::Graph;
using support::Values;

constexpr std::int64_t kRows = 4000;

graph::Topology two_steps() {
  Graph graph;
  const int first = graph.stateless(support::add(1));
  const int second = graph.stateful(support::add(-1));
  return graph.chain({first, second}).build();
}

class GovernedFlow : public testing::TestWithParam<Threading> {
 protected:
  // So short that no machine is through with all rows before it is over.
  static engine::Options by(Controller controller) {
    engine::Options options{.threading = GetParam(),
                            .threads = 2,
                            .elastic = true,
                            .controller = controller,
                            .period = std::chrono::microseconds(10)};
    options.cpu_rule = always_room;
    return options;
  }

  static Values all_rows() {
    Values values(kRows);
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
};

INSTANTIATE_TEST_SUITE_P(Models, GovernedFlow,
                         testing::Values(Threading::kDynamic, Threading::kConveyor,
                                         Threading::kAutomatic));

TEST_P(GovernedFlow, by_utilization_says_how_busy_the_threads_were_and_keeps_the_order) {
  ProcessingElement element(two_steps(), support::make_int_input(support::one_by_one(kRows)),
                            by(Controller::kUtilization));
  EXPECT_EQ(support::drain(element), all_rows());
  const auto actions = element.actions();
  ASSERT_FALSE(actions.empty());
  EXPECT_NE(actions.front().text.find("busy for "), std::string::npos) << actions.front().text;
  for (const auto& action : actions) {
    EXPECT_EQ(action.lever, elastic::Lever::kThreads) << "stops are left alone";
    EXPECT_LE(action.chosen, 2);
  }
}

TEST_P(GovernedFlow, goes_by_throughput_unless_told_otherwise) {
  ProcessingElement element(two_steps(), support::make_int_input(support::one_by_one(kRows)),
                            by(engine::Options{}.controller));
  EXPECT_EQ(support::drain(element), all_rows());
  ASSERT_FALSE(element.actions().empty());
  for (const auto& action : element.actions()) {
    EXPECT_EQ(action.text.find("busy for "), std::string::npos) << action.text;
  }
}

TEST_P(GovernedFlow, meters_that_the_control_loop_needs_are_not_shown_as_metrics) {
  ProcessingElement element(two_steps(), support::make_int_input({{1, 2, 3}}),
                            by(Controller::kUtilization));
  EXPECT_EQ(support::drain(element), (Values{1, 2, 3}));
  EXPECT_FALSE(element.metrics());
}

// Nothing is measured there, so no control loop says it.
TEST(FixedThreads, tell_that_they_were_limited) {
  for (const Threading threading : {Threading::kDynamic, Threading::kConveyor}) {
    ProcessingElement element(two_steps(), support::make_int_input(support::one_by_one(kRows)),
                              {.threading = threading, .threads = 2});
    ASSERT_TRUE(element.next());
    EXPECT_TRUE(element.actions().empty());
    for (int again = 0; again < 2; ++again) {
      element.limit_threads(1);
      while (element.next()) {
        if (!element.actions().empty()) break;
      }
    }
    const auto actions = element.actions();
    ASSERT_EQ(actions.size(), 1U);
    EXPECT_EQ(actions[0].previous, 2);
    EXPECT_EQ(actions[0].chosen, 1);
    EXPECT_EQ(actions[0].reason, "limits_changed");
    EXPECT_EQ(actions[0].text, "2 -> 1 thread: the limits changed");
  }
}

TEST(NeedsMeters, only_where_the_number_of_threads_may_change_by_utilization) {
  engine::Options options{.threading = Threading::kDynamic, .controller = Controller::kUtilization};
  EXPECT_TRUE(engine::needs_meters(options));
  options.threading = Threading::kManual;
  EXPECT_FALSE(engine::needs_meters(options));
  options = {.threading = Threading::kDynamic};
  EXPECT_FALSE(engine::needs_meters(options));
}

}  // namespace
}  // namespace penstock
