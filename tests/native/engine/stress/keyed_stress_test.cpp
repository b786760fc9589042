// A keyed operator between others, worked on part by part by several threads: every row is what one
// thread would have made of it.

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "penstock/engine/processing_element.hpp"

#include "support/counting.hpp"
#include "support/elements.hpp"
#include "support/int_stream.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using engine::Options;
using engine::ProcessingElement;
using engine::Threading;
using support::Counting;
using support::Model;
using support::read_all;
using Rows = std::vector<std::int64_t>;

constexpr int kFlows = 40;

struct Case {
  std::vector<Rows> batches;
  Rows right;  // how often each value came up to its row, plus one
};

Case random_case(std::mt19937_64& chance, std::int64_t keys) {
  Case made;
  std::map<std::int64_t, std::int64_t> seen;
  for (int i = 0; i < 30; ++i) {
    Rows rows(chance() % 40);
    for (auto& row : rows) {
      row = static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(keys));
      made.right.push_back(++seen[row] + 1);
    }
    made.batches.push_back(std::move(rows));
  }
  return made;
}

std::unique_ptr<ProcessingElement> flow(std::vector<Rows> batches, int parts, Options options) {
  graph::TopologyBuilder builder("keyed");
  const int count =
      builder.add("count", graph::Kind::kKeyed, 1, 1, std::make_unique<Counting>(parts));
  const int more = builder.add("more", graph::Kind::kStateful, 1, 1, support::add(1));
  builder.connect(graph::kSource, 0, count, 0);
  builder.connect(count, 0, more, 0);
  builder.connect(more, 0, graph::kSink, 0);
  return std::make_unique<ProcessingElement>(std::move(builder).build(),
                                             support::make_int_input(std::move(batches)), options);
}

class KeyedStress : public testing::TestWithParam<Model> {};

TEST_P(KeyedStress, every_row_is_what_one_thread_makes_of_it) {
  for (std::uint64_t seed = 0; seed < kFlows; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance(seed);
    const auto [batches, right] = random_case(chance, 1 + static_cast<std::int64_t>(chance() % 30));
    const auto element = flow(batches, 1 + static_cast<int>(chance() % 20),
                              {.rows_per_tuple = static_cast<std::int64_t>(chance() % 12),
                               .threading = GetParam().threading,
                               .threads = 1 + static_cast<int>(chance() % 4),
                               .observe = seed % 2 == 0});
    ASSERT_EQ(read_all(*element), right);
  }
}

TEST_P(KeyedStress, what_the_rows_before_a_failure_made_comes_out_before_it) {
  for (std::uint64_t seed = 0; seed < kFlows; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 chance(seed);
    auto [batches, right] = random_case(chance, 10);
    batches[20] = {1, 2, Counting::kTooLarge + 4, 3, Counting::kTooLarge + 1};
    std::int64_t before = 2;
    for (std::size_t i = 0; i < 20; ++i) before += static_cast<std::int64_t>(batches[i].size());
    const auto element = flow(batches, 5, {.threading = GetParam().threading, .threads = 3});
    Rows made;
    try {
      while (auto batch = element->next()) {
        const auto values = support::read_column(std::move(*batch));
        made.insert(made.end(), values.begin(), values.end());
      }
      FAIL() << "a value is too large";
    } catch (const engine::FlowStopped&) {
      ASSERT_TRUE(element->failure());
      EXPECT_EQ(element->failure()->rows.first, before);
      EXPECT_EQ(element->failure()->rows.count, 1);
    }
    ASSERT_EQ(std::ssize(made), before);
    ASSERT_TRUE(std::equal(made.begin(), made.end() - 2, right.begin()));
  }
}

INSTANTIATE_TEST_SUITE_P(Models, KeyedStress, testing::ValuesIn(support::kModels),
                         support::name_of_model<testing::TestParamInfo<Model>>);

}  // namespace
}  // namespace penstock
