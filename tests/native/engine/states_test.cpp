#include "penstock/engine/states.hpp"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <stdexcept>
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

using engine::ProcessingElement;
using engine::Threading;
using region::Channels;
using region::Splitter;
using support::KeyCounter;
using support::read_all;
using Rows = std::vector<std::int64_t>;
using Counts = std::map<std::int64_t, std::int64_t>;

std::unique_ptr<graph::Operator> region_of(int width) {
  std::vector<region::Channel> channels;
  for (int i = 0; i < width; ++i) {
    channels.push_back(support::channel_of("count", std::make_unique<KeyCounter>()));
  }
  Channels::Options options;
  options.widths = {.least = 1, .most = width, .first = width};
  return std::make_unique<Channels>(support::int_schema(), support::int_schema(),
                                    Splitter(tuple::KeyColumns(support::int_schema(), {0})),
                                    std::move(channels), std::move(options));
}

std::unique_ptr<ProcessingElement> flow(std::string name, std::unique_ptr<graph::Operator> body,
                                        std::vector<Rows> batches) {
  graph::TopologyBuilder builder("states");
  const int count = builder.add(std::move(name), graph::Kind::kKeyed, 1, 1, std::move(body));
  builder.connect(graph::kSource, 0, count, 0);
  builder.connect(count, 0, graph::kSink, 0);
  return std::make_unique<ProcessingElement>(
      std::move(builder).build(), support::make_int_input(std::move(batches)),
      engine::Options{.threading = Threading::kConveyor, .threads = 2});
}

Counts counts_of(const engine::OperatorState& state) {
  Counts counts;
  for (const auto& rows : state.rows) {
    const auto values = support::read_column(rows, 0);
    const auto numbers = support::read_column(rows, 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_TRUE(counts.emplace(values[i], numbers[i]).second) << values[i] << " twice";
    }
  }
  return counts;
}

TEST(States, of_a_region_are_those_of_all_its_channels) {
  const auto element = flow("region", region_of(3), {{1, 2, 3, 4}, {1, 5, 1}});
  read_all(*element);
  const auto states = element->states();
  ASSERT_EQ(states.size(), 1U);
  EXPECT_EQ(states[0].name, "count") << "the operator, not its region";
  EXPECT_EQ(counts_of(states[0]), (Counts{{1, 3}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}));
}

TEST(States, go_on_with_another_number_of_channels_and_without_any) {
  for (int width = 1; width <= 5; ++width) {
    const auto first = flow("region", region_of(4), {{1, 2, 3, 4, 5, 6, 7, 8}, {1, 5, 1}});
    read_all(*first);
    const auto second = flow("other", region_of(width), {{1, 5, 9}});
    second->restore("count", first->states()[0].rows);
    EXPECT_EQ(read_all(*second), (Rows{1004, 5003, 9001}));

    const auto alone = flow("alone", std::make_unique<KeyCounter>(), {{1, 9}, {9}});
    alone->restore("alone", second->states()[0].rows);
    EXPECT_EQ(read_all(*alone), (Rows{1005, 9002, 9003}));
    EXPECT_EQ(counts_of(alone->states()[0]).size(), 9U);
  }
}

TEST(States, are_not_to_be_had_while_the_flow_runs) {
  const auto element = flow("region", region_of(2), {{1}, {2}});
  EXPECT_EQ(element->states()[0].rows.size(), 0U) << "before it does there are none";
  ASSERT_TRUE(element->next());
  EXPECT_THROW(static_cast<void>(element->states()), std::logic_error);
  EXPECT_THROW(element->restore("count", {}), std::logic_error);
}

TEST(States, are_restored_only_to_operators_that_remember) {
  const auto element = flow("region", region_of(2), {});
  try {
    element->restore("region", {});
    FAIL() << "the region itself remembers nothing";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "operator 'region' remembers nothing by key; these do: 'count'");
  }
  const auto stateless = flow("add", support::add(1), {});
  EXPECT_TRUE(stateless->states().empty());
  EXPECT_THROW(stateless->restore("add", {}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
