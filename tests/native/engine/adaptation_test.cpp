// C-Stream's adaptation (Sahin & Gedik 2018) in a flow that runs: more threads while all are busy,
// and more channels for the region that holds up the others.

#include <chrono>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/region/channels.hpp"

#include "engine/always_room.hpp"
#include "support/counting_region.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

using engine::Action;
using engine::ProcessingElement;
using engine::Threading;
using region::Channels;

constexpr std::int64_t kKeys = 64;
// Far more than are ever needed; whoever saw what he looked for takes no more.
constexpr std::int64_t kMostRows = 20'000;
constexpr int kRounds = 20'000;  // of arithmetic for a row, some twenty microseconds

std::int64_t key_of(std::int64_t row) { return row * row % kKeys; }

// Keys in an order without end, a row in each batch, until told otherwise.
std::unique_ptr<tuple::InputStream> rows_until(const bool& enough) {
  struct State {
    const bool* enough;
    std::int64_t next = 0;
  };
  ArrowArrayStream stream{};
  stream.private_data = new State{.enough = &enough};
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    auto& state = *static_cast<State*>(self->private_data);
    *out = ArrowArray{};
    if (*state.enough || state.next == kMostRows) return 0;
    *out = support::make_int_array({{key_of(state.next++)}});
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* self) {
    delete static_cast<State*>(self->private_data);
    self->release = nullptr;
  };
  return std::make_unique<tuple::InputStream>(stream);
}

// Work that no compiler leaves out.
int one_copy_at_some_cost(std::int64_t value) {
  volatile auto state = static_cast<std::uint64_t>(value);
  for (int round = 0; round < kRounds; ++round) state = (state * 6364136223846793005U) + 1U;
  return 1;
}

class Adaptation : public testing::TestWithParam<Threading> {
 protected:
  // Runs until there is such an action, and returns it; checks every row on the way.
  static Action first(Channels::Widths widths, bool elastic,
                      const std::function<bool(const Action&)>& wanted) {
    engine::Options options{.threading = GetParam(),
                            .threads = 2,
                            .elastic = elastic,
                            .controller = engine::Controller::kUtilization,
                            .period = std::chrono::milliseconds(2)};
    options.cpu_rule = always_room;
    bool enough = false;
    Action found;
    ProcessingElement element(support::counting_region(widths, one_copy_at_some_cost),
                              rows_until(enough), options);
    std::vector<std::int64_t> counts(kKeys);
    std::int64_t row = 0;
    while (auto batch = element.next()) {
      for (const auto value : support::read_column(std::move(*batch))) {
        const auto key = key_of(row++);
        EXPECT_EQ(value, (1000 * key) + ++counts[static_cast<std::size_t>(key)]);
      }
      if (enough) continue;
      for (const auto& action : element.actions()) {
        if (enough || !wanted(action)) continue;
        found = action;
        enough = true;
      }
    }
    EXPECT_TRUE(enough) << "not in " << row << " rows; the last action: "
                        << (element.actions().empty() ? "none" : element.actions().back().text);
    return found;
  }
};

INSTANTIATE_TEST_SUITE_P(Models, Adaptation,
                         testing::Values(Threading::kDynamic, Threading::kConveyor));

TEST_P(Adaptation, a_thread_that_is_always_busy_gets_company) {
  const auto action = first({.least = 2, .most = 2, .first = 2}, true, [](const Action& each) {
    return each.lever == elastic::Lever::kThreads && each.chosen > each.previous;
  });
  EXPECT_EQ(std::pair(action.previous, action.chosen), std::pair(1, 2));
  EXPECT_EQ(action.reason, "busy");
}

// With the threads as they are, so that a machine with no core to spare takes none away.
TEST_P(Adaptation, a_region_that_holds_up_its_input_gets_a_second_channel) {
  const auto action = first({.least = 1, .most = 2, .first = 1}, false, [](const Action& each) {
    return each.lever == elastic::Lever::kChannels && each.chosen > each.previous;
  });
  EXPECT_EQ(std::pair(action.previous, action.chosen), std::pair(1, 2));
  EXPECT_EQ(action.reason, "bottleneck");
}

}  // namespace
}  // namespace penstock
