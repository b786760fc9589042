#include "penstock/region/channel.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using region::Channel;
using region::Fragment;
using support::KeyCounter;
using Rows = std::vector<std::int64_t>;

Channel chain(std::vector<std::pair<std::string, std::unique_ptr<graph::Operator>>> operators) {
  std::vector<Channel::Member> members;
  for (auto& [name, body] : operators) {
    members.push_back({.name = name, .body = std::move(body)});
  }
  return Channel(std::move(members));
}

template <typename... Operators>
Channel chain_of(std::pair<const char*, Operators>... operators) {
  std::vector<std::pair<std::string, std::unique_ptr<graph::Operator>>> all;
  (all.emplace_back(operators.first, std::move(operators.second)), ...);
  return chain(std::move(all));
}

struct Made {
  Rows values;
  std::vector<std::int32_t> rows;
  graph::FirstFailure failure;
};

Made process(Channel& channel, Rows values, bool traced = true,
             std::vector<std::int32_t> rows = {}) {
  if (traced && rows.empty()) {
    rows.resize(values.size());
    std::iota(rows.begin(), rows.end(), 0);
  }
  Made made;
  const auto fragments = channel.process(
      {.batch = support::make_int_batch(std::move(values)), .rows = std::move(rows)}, traced,
      made.failure);
  for (const Fragment& fragment : fragments) {
    for (const auto value : support::read_column(fragment.batch)) made.values.push_back(value);
    made.rows.insert(made.rows.end(), fragment.rows.begin(), fragment.rows.end());
  }
  return made;
}

std::unique_ptr<graph::Operator> even_twice() {
  return std::make_unique<KeyCounter>([](std::int64_t value) { return value % 2 == 0 ? 2 : 0; });
}

TEST(Channel, traces_what_its_operators_make_to_the_rows_of_the_tuple) {
  Channel channel = chain_of(std::pair("add", support::add(1)), std::pair("twice", even_twice()),
                             std::pair("more", support::add(5)));
  const Made made = process(channel, {1, 2, 3}, true, {4, 6, 9});
  EXPECT_EQ(made.values, (Rows{2006, 2006, 4006, 4006}));
  EXPECT_EQ(made.rows, (std::vector<std::int32_t>{4, 4, 9, 9}));
  EXPECT_FALSE(made.failure);
}

TEST(Channel, makes_nothing_of_no_rows) {
  Channel channel = chain_of(std::pair("add", support::add(1)));
  EXPECT_TRUE(process(channel, {}).values.empty());
}

TEST(Channel, finds_the_row_at_which_an_operator_without_state_failed) {
  for (std::int32_t bad = 0; bad < 5; ++bad) {
    Channel channel = chain_of(std::pair("fail", support::fail_at(7)),
                               std::pair("count", std::make_unique<KeyCounter>()));
    Rows values(5, 1);
    values[static_cast<std::size_t>(bad)] = 7;
    const Made made = process(channel, values, true, {10, 11, 12, 13, 14});
    ASSERT_TRUE(made.failure);
    EXPECT_EQ(made.failure.get().row(), 10 + bad);
    EXPECT_EQ(made.failure.get().inner(), "fail");
    EXPECT_EQ(std::ssize(made.values), bad) << "what the rows before it made";
    EXPECT_EQ(std::ssize(made.rows), bad);
  }
}

TEST(Channel, names_the_earliest_row_when_two_operators_fail) {
  Channel channel =
      chain_of(std::pair("late", support::fail_at(9)), std::pair("early", support::fail_at(3)));
  const Made made = process(channel, {1, 3, 5, 9});
  EXPECT_EQ(made.failure.get().row(), 1);
  EXPECT_EQ(made.failure.get().inner(), "early");
  EXPECT_EQ(made.values, (Rows{1}));
}

TEST(Channel, passes_on_the_row_that_an_operator_names) {
  Channel channel = chain_of(std::pair("add", support::add(0)),
                             std::pair("count", std::make_unique<KeyCounter>()));
  const Made made = process(channel, {1, 1, KeyCounter::kTooLarge, 2}, true, {3, 5, 8, 9});
  EXPECT_EQ(made.failure.get().row(), 8);
  EXPECT_EQ(made.failure.get().inner(), "count");
  EXPECT_EQ(made.values, (Rows{1001, 1002}));
}

// Makes one row of each up to a seven, and does not tell which.
class StopsAtSeven final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    const auto values = support::read_column(tuple.batch);
    const auto good = std::distance(values.begin(), std::ranges::find(values, 7));
    output.emit(tuple.batch.slice(0, good), 0);
    if (good == std::ssize(values)) return;
    throw graph::FailedAtRow(good, std::make_exception_ptr(std::runtime_error("seven")));
  }
};

TEST(Channel, takes_one_row_of_each_before_a_failure_without_being_told_which) {
  Channel channel = chain_of(std::pair("stop", std::make_unique<StopsAtSeven>()),
                             std::pair("add", support::add(1)));
  const Made made = process(channel, {1, 2, 7, 4}, true, {3, 5, 8, 9});
  EXPECT_EQ(made.failure.get().row(), 8);
  EXPECT_EQ(made.values, (Rows{2, 3}));
  EXPECT_EQ(made.rows, (std::vector<std::int32_t>{3, 5}));
}

TEST(Channel, finds_the_failing_row_by_trying_where_nobody_traces_rows) {
  for (std::int64_t bad = 0; bad < 6; ++bad) {
    Channel channel =
        chain_of(std::pair("even", support::keep_even()), std::pair("fail", support::fail_at(100)));
    Rows values{2, 3, 4, 5, 6, 8};
    values[static_cast<std::size_t>(bad)] = 100;
    const Made made = process(channel, values, false);
    EXPECT_EQ(made.failure.get().row(), bad);
    EXPECT_EQ(made.failure.get().inner(), "fail");
    Rows before(values.begin(), values.begin() + bad);
    std::erase_if(before, [](std::int64_t value) { return value % 2 != 0; });
    EXPECT_EQ(made.values, before);
  }
}

TEST(Channel, lets_an_interruption_through) {
  class Interrupting final : public graph::Operator {
    void process(const tuple::Tuple& /*tuple*/, int /*port*/, graph::Output& /*output*/) override {
      throw graph::Interrupted(nullptr);
    }
  };
  Channel channel = chain_of(std::pair("stop", std::make_unique<Interrupting>()));
  EXPECT_THROW(process(channel, {1, 2}), graph::Interrupted);
  EXPECT_THROW(process(channel, {1, 2}, false), graph::Interrupted);
}

}  // namespace
}  // namespace penstock
