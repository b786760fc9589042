// A thousand operators in stacks of a quarter of a megabyte: as printed, a call of each would lie
// on the stack above that of the one before it (A5).

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/base/thread.hpp"
#include "penstock/engine/processing_element.hpp"

#include "engine/run_as.hpp"

namespace penstock {
namespace {

using support::Values;

constexpr std::size_t kSmallStack = std::size_t{256} << 10U;
constexpr int kOperators = 1000;

// How far apart on the calling thread's stack the operators that it ran so far were.
std::size_t reach_on_the_stack() {
  thread_local std::uintptr_t lowest = std::numeric_limits<std::uintptr_t>::max();
  thread_local std::uintptr_t highest = 0;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  lowest = std::min(lowest, here);
  highest = std::max(highest, here);
  return highest - lowest;
}

// Adds one, and notes how far the stack of any thread reached.
std::unique_ptr<graph::Operator> add_and_look(std::atomic<std::size_t>& most) {
  return std::make_unique<support::IntOperator>([&most](Values values) {
    const std::size_t here = reach_on_the_stack();
    std::size_t seen = most.load();
    while (seen < here && !most.compare_exchange_weak(seen, here)) {
    }
    for (auto& value : values) ++value;
    return values;
  });
}

class SmallStacks : public support::OnModels {};

INSTANTIATE_TEST_SUITE_P(Models, SmallStacks, support::every_way(), support::run_as_name);

// The feeder would crash in its own. Workers have larger ones, of which they use no more.
TEST_P(SmallStacks, are_enough_for_a_thousand_operators) {
  std::atomic<std::size_t> most = 0;
  support::Graph graph;
  std::vector<int> nodes;
  for (int i = 0; i < kOperators; ++i) nodes.push_back(graph.stateless(add_and_look(most)));
  auto topology = graph.chain(nodes).build();
  Values made;
  base::Thread({.name = "feeder", .stack_bytes = kSmallStack}, [&] {
    engine::ProcessingElement element(std::move(topology),
                                      support::make_int_input(support::one_by_one(40)), with());
    made = support::drain(element);
  }).join();
  Values right(40);
  for (std::size_t i = 0; i < right.size(); ++i) {
    right[i] = static_cast<std::int64_t>(i) + kOperators;
  }
  EXPECT_EQ(made, right);
  EXPECT_LT(most.load(), kSmallStack);
}

}  // namespace
}  // namespace penstock
