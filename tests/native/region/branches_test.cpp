#include "penstock/region/branches.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/region/channels.hpp"

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"
#include "support/operators.hpp"

namespace penstock {
namespace {

using region::Branches;
using region::Channel;
using support::KeyCounter;
using Rows = std::vector<std::int64_t>;

class Emitted final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    const auto made = support::read_column(std::move(batch));
    values.insert(values.end(), made.begin(), made.end());
  }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> rows, int port) override {
    from.insert(from.end(), rows.begin(), rows.end());
    emit(std::move(batch), port);
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  Rows values;
  std::vector<std::int32_t> from;
};

// Gives the sum of all values at the end, and nothing before.
class Sum final : public graph::Operator {
 public:
  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& /*output*/) override {
    for (const auto value : support::read_column(tuple.batch)) sum_ += value;
  }
  void finish(graph::Output& output) override { output.emit(support::make_int_batch({sum_}), 0); }

 private:
  std::int64_t sum_ = 0;
};

template <typename... Bodies>
Channel chain(std::pair<const char*, Bodies>... bodies) {
  std::vector<Channel::Member> members;
  (members.push_back({.name = bodies.first, .body = std::move(bodies.second)}), ...);
  return Channel(std::move(members));
}

template <typename... Each>
Branches branches(Each... each) {
  std::vector<Channel> all;
  (all.push_back(std::move(each)), ...);
  return Branches(support::int_schema(), std::move(all));
}

std::unique_ptr<graph::Operator> twice() {
  return std::make_unique<KeyCounter>([](std::int64_t) { return 2; });
}

tuple::Tuple tuple_of(const Rows& values) {
  return {.batch = support::make_int_batch(values), .origin = {}};
}

TEST(Branches, give_every_row_to_each_and_merge_by_row_and_then_by_branch) {
  auto parted = branches(chain(std::pair("add", support::add(100))), chain(),
                         chain(std::pair("twice", twice())));
  Emitted output;
  parted.process(tuple_of({1, 2}), 0, output);
  EXPECT_EQ(output.values, (Rows{101, 1, 1001, 1001, 102, 2, 2001, 2001}));
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  parted.process(tuple_of({1}), 0, output);
  EXPECT_EQ((Rows(output.values.end() - 2, output.values.end())), (Rows{1002, 1002}))
      << "what a branch remembers stays";
}

// Passes rows on up to that value, the last that it wants.
class Until final : public graph::Operator {
 public:
  explicit Until(std::int64_t last) : last_(last) {}

  void process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) override {
    ++calls;
    const Rows values = support::read_column(tuple.batch);
    const auto found = std::ranges::find(values, last_);
    completed_ = found != values.end();
    at_ = completed_ ? found - values.begin() : std::ssize(values) - 1;
    std::vector<std::int32_t> rows(static_cast<std::size_t>(at_ + 1));
    std::iota(rows.begin(), rows.end(), 0);
    output.emit_rows(tuple.batch.slice(0, at_ + 1), rows, 0);
  }
  [[nodiscard]] bool completed() const noexcept override { return completed_; }
  [[nodiscard]] std::int64_t completed_at() const noexcept override { return at_; }

  int calls = 0;

 private:
  std::int64_t last_;
  std::int64_t at_ = 0;
  bool completed_ = false;
};

constexpr std::int64_t kClosed = -1;

Branches closing(Channel first, Channel second) {
  std::vector<Channel> all;
  all.push_back(std::move(first));
  all.push_back(std::move(second));
  return Branches(support::int_schema(), std::move(all),
                  {support::make_int_batch({kClosed}), support::make_int_batch({kClosed - 1})});
}

TEST(Branches, one_that_ends_says_so_behind_its_last_row_however_the_input_was_cut) {
  for (const std::size_t cut : {1U, 2U, 5U}) {
    auto parted = closing(
        chain(std::pair("add", support::add(100)), std::pair("until", std::make_unique<Until>(102)),
              std::pair("sum", std::make_unique<Sum>())),
        chain());
    Emitted output;
    const Rows values{1, 2, 3, 4, 5};
    for (std::size_t at = 0; at < values.size(); at += cut) {
      const auto end = std::min(at + cut, values.size());
      parted.process(
          tuple_of({values.begin() + std::ptrdiff_t(at), values.begin() + std::ptrdiff_t(end)}), 0,
          output);
    }
    EXPECT_EQ(output.values, (Rows{1, 203, kClosed, 2, 3, 4, 5})) << "cut by " << cut;
    EXPECT_EQ(output.from.size(), output.values.size());
    const auto before = output.values;
    parted.finish(output);
    EXPECT_EQ(output.values, before) << "it came to its end before";
  }
}

TEST(Branches, who_works_for_one_that_ended_neither_works_nor_fails) {
  auto last = std::make_unique<Until>(2);
  const auto* const until = last.get();
  auto parted = closing(
      chain(std::pair("fails", support::fail_at(4)), std::pair("until", std::move(last))), chain());
  Emitted output;
  parted.process(tuple_of({1, 2, 3, 4}), 0, output);
  parted.process(tuple_of({4}), 0, output);
  EXPECT_EQ(output.values, (Rows{1, 1, 2, kClosed, 2, 3, 4, 4}));
  EXPECT_EQ(until->calls, 1);
}

TEST(Branches, a_failure_before_the_end_of_a_branch_counts) {
  auto parted = closing(chain(std::pair("until", std::make_unique<Until>(3)),
                              std::pair("fails", support::fail_at(2))),
                        chain());
  Emitted output;
  try {
    parted.process(tuple_of({1, 2, 3}), 0, output);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 1);
  }
  EXPECT_EQ(output.values, (Rows{1, 1}));
}

TEST(Branches, come_to_their_ends_one_after_the_other) {
  auto parted = branches(
      chain(std::pair("sum", std::make_unique<Sum>()), std::pair("add", support::add(100))),
      chain(std::pair("other", std::make_unique<Sum>())));
  Emitted output;
  parted.process(tuple_of({1, 2}), 0, output);
  EXPECT_TRUE(output.values.empty());
  parted.finish(output);
  EXPECT_EQ(output.values, (Rows{103, 3}));
}

TEST(Branches, give_what_the_rows_before_a_failure_made_and_name_the_operator) {
  auto parted = branches(chain(), chain(std::pair("fails", support::fail_at(3))));
  Emitted output;
  try {
    parted.process(tuple_of({1, 2, 3, 4}), 0, output);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
    EXPECT_EQ(failed.inner(), "fails");
  }
  EXPECT_EQ(output.values, (Rows{1, 1, 2, 2}));
}

TEST(Branches, may_be_inside_branches_and_show_all_that_is_remembered) {
  std::unique_ptr<graph::Operator> inner(new Branches(
      branches(chain(std::pair("deep", twice())), chain(std::pair("add", support::add(5))))));
  auto parted = branches(chain(std::pair("inner", std::move(inner))),
                         chain(std::pair("count", std::make_unique<KeyCounter>())));
  Emitted output;
  parted.process(tuple_of({1, 2}), 0, output);
  EXPECT_EQ(output.values, (Rows{1001, 1001, 6, 1001, 2001, 2001, 7, 2001}));
  std::map<std::string, std::size_t> keys;
  parted.for_each_state([&](const std::string& name, int channel, region::KeyedState& state) {
    EXPECT_EQ(channel, 0);
    keys[name] = state.keys();
  });
  EXPECT_EQ(keys, (std::map<std::string, std::size_t>{{"count", 2}, {"deep", 2}}));
}

}  // namespace
}  // namespace penstock
