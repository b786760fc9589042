// Regions whose channels come and go at random moments while several threads work in them: every
// row and every count is what one thread would have made, nothing is lost, doubled or out of order.

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"
#include "penstock/region/channels.hpp"

#include "support/elements.hpp"
#include "support/int_stream.hpp"
#include "support/key_counter.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using region::Channels;
using region::Splitter;
using support::KeyCounter;
using support::Model;
using Rows = std::vector<std::int64_t>;

constexpr int kFlows = 30;
constexpr int kMost = 8;

int some_copies(std::int64_t value) { return static_cast<int>(value % 3); }

// Counts by value, and then adds one. `counters` are the operators of the channels.
std::unique_ptr<ProcessingElement> flow(std::vector<Rows> batches, Options options,
                                        std::vector<KeyCounter*>& counters) {
  std::vector<region::Channel> channels;
  for (int i = 0; i < kMost; ++i) {
    auto counter = std::make_unique<KeyCounter>(some_copies);
    counters.push_back(counter.get());
    channels.push_back(support::channel_of("count", std::move(counter)));
  }
  Channels::Options region;
  region.widths = {.least = 1, .most = kMost, .first = 1};
  graph::TopologyBuilder builder("region");
  const int count = builder.add(
      "counts", graph::Kind::kKeyed, 1, 1,
      std::make_unique<Channels>(support::int_schema(), support::int_schema(),
                                 Splitter(tuple::KeyColumns(support::int_schema(), {0})),
                                 std::move(channels), std::move(region)));
  const int more = builder.add("more", graph::Kind::kStateful, 1, 1, support::add(1));
  builder.connect(graph::kSource, 0, count, 0);
  builder.connect(count, 0, more, 0);
  builder.connect(more, 0, graph::kSink, 0);
  return std::make_unique<ProcessingElement>(std::move(builder).build(),
                                             support::make_int_input(std::move(batches)), options);
}

std::vector<Rows> random_batches(std::mt19937_64& chance, std::uint64_t keys) {
  std::vector<Rows> batches(40);
  for (auto& batch : batches) {
    batch.resize(chance() % 40);
    for (auto& row : batch) row = static_cast<std::int64_t>(chance() % keys);
  }
  return batches;
}

class RegionStress : public testing::TestWithParam<Model> {};

TEST_P(RegionStress, results_and_state_are_those_of_one_thread_whenever_channels_change) {
  for (std::uint64_t seed = 0; seed < kFlows; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance(seed);
    const auto batches = random_batches(chance, 1 + chance() % 50);
    Rows all;
    for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    Rows right = support::counted(all, some_copies);
    for (auto& value : right) ++value;
    std::map<std::int64_t, std::int64_t> state;
    for (const auto value : all) ++state[value];

    std::vector<KeyCounter*> counters;
    const auto element = flow(batches,
                              {.rows_per_tuple = static_cast<std::int64_t>(chance() % 12),
                               .threading = GetParam().threading,
                               .threads = 1 + static_cast<int>(chance() % 4),
                               .elastic = chance() % 2 == 0,
                               .period = std::chrono::microseconds(50),
                               .observe = seed % 2 == 0},
                              counters);
    std::vector<int> widths{4, 2, 3, 8, 1};
    Rows made;
    while (auto batch = element->next()) {
      const auto values = support::read_column(std::move(*batch));
      made.insert(made.end(), values.begin(), values.end());
      if (seed % 3 == 0) continue;  // then the control loop chooses, where there is one
      const auto place = chance() % (2 * widths.size());
      if (place < widths.size()) element->set_channels("counts", widths[place]);
      if (seed % 3 == 2) widths.assign(1, 1 + static_cast<int>(chance() % kMost));
    }
    ASSERT_EQ(made, right);
    std::map<std::int64_t, std::int64_t> found;
    std::size_t keys = 0;
    for (const auto* counter : counters) {
      found.insert(counter->seen().begin(), counter->seen().end());
      keys += counter->keys();
    }
    ASSERT_EQ(found, state);
    ASSERT_EQ(keys, state.size()) << "no key is known to two channels";
  }
}

TEST_P(RegionStress, what_came_before_an_operator_that_fails_to_give_comes_out_first) {
  for (std::uint64_t seed = 0; seed < kFlows; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance(seed);
    const auto batches = random_batches(chance, 40);
    Rows all;
    for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    const Rows right = support::counted(all, some_copies);
    std::vector<KeyCounter*> counters;
    const auto element = flow(batches, {.threading = GetParam().threading, .threads = 3}, counters);
    for (auto* counter : counters) counter->fails_to_donate = true;
    std::size_t made = 0;
    const auto asked_after = chance() % 20;
    try {
      while (auto batch = element->next()) {
        for (const auto value : support::read_column(std::move(*batch))) {
          ASSERT_EQ(value, right[made++] + 1);
        }
        if (made >= asked_after) element->set_channels("counts", 3);
      }
      FAIL() << "the operator does not give";
    } catch (const engine::FlowStopped&) {
      EXPECT_EQ(element->failure()->node, 0);
      EXPECT_EQ(element->failure()->rows.count, 0) << "it is no row's failure";
    }
  }
}

TEST_P(RegionStress, can_be_closed_at_any_moment_of_a_migration) {
  for (std::uint64_t seed = 0; seed < kFlows; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance(seed);
    const auto batches = random_batches(chance, 40);
    Rows all;
    for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    Rows right = support::counted(all, some_copies);
    for (auto& value : right) ++value;
    std::vector<KeyCounter*> counters;
    const auto element = flow(
        batches, {.rows_per_tuple = 1, .threading = GetParam().threading, .threads = 3}, counters);
    Rows made;
    for (auto left = chance() % 100; left > 0; --left) {
      auto batch = element->next();
      if (!batch) break;
      const auto values = support::read_column(std::move(*batch));
      made.insert(made.end(), values.begin(), values.end());
      element->set_channels("counts", 1 + static_cast<int>(chance() % kMost));
    }
    element->close();
    ASSERT_LE(made.size(), right.size());
    right.resize(made.size());
    ASSERT_EQ(made, right) << "what came out is how the right rows begin";
    // One that is just being moved is known to none.
    std::map<std::int64_t, int> channels_of;
    for (const auto* counter : counters) {
      for (const auto& [key, count] : counter->seen()) {
        ASSERT_EQ(++channels_of[key], 1) << "key " << key << " is known to two channels";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RegionStress, testing::ValuesIn(support::kModels),
                         support::name_of_model<testing::TestParamInfo<Model>>);

}  // namespace
}  // namespace penstock
