#include "penstock/ops/keyed_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/take.hpp"
#include "penstock/ops/top_k.hpp"
#include "penstock/region/channels.hpp"

#include "support/arrow_columns.hpp"
#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

using Rows = std::vector<std::int64_t>;

// Pairs up the rows of a key: every second one makes a row of the sum of both; -1 is refused. A row
// that is left over at the end makes one of its own.
class Pairs final : public ops::KeyedRows {
 public:
  Pairs(const tuple::Schema& schema, const Options& options) : KeyedRows(schema, schema, options) {}

 private:
  void work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) override {
    const auto values = support::read_column(batch);
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (values[row] == -1) {
        throw graph::FailedAtRow(static_cast<std::int64_t>(row),
                                 std::make_exception_ptr(std::runtime_error("minus one")));
      }
      auto& waiting = waiting_[ids[row]];
      if (waiting.empty()) {
        waiting.push_back(values[row]);
      } else {
        add(waiting.front() + values[row], static_cast<std::int32_t>(row), made);
        waiting.clear();
      }
    }
  }
  void flush(std::uint32_t id, Made& made) override {
    if (!waiting_[id].empty()) add(waiting_[id].front(), 0, made);
  }
  static void add(std::int64_t value, std::int32_t from, Made& made) {
    std::string row;
    tuple::encode_value(value, row);
    made.add(row, from);
  }
  void reserve(std::uint32_t limit) override {
    if (waiting_.size() < limit) waiting_.resize(limit);
  }
  void save(std::uint32_t id, std::string& out) const override {
    for (const auto value : waiting_[id]) tuple::encode_value(value, out);
  }
  void restore(std::uint32_t id, std::string_view saved) override {
    tuple::ValueReader reader(saved);
    while (!reader.ended() && reader.has_value()) {
      waiting_[id].push_back(reader.read<std::int64_t>());
    }
  }
  void forget(std::uint32_t id) noexcept override { waiting_[id].clear(); }
  [[nodiscard]] std::size_t state_bytes() const noexcept override {
    return waiting_.size() * sizeof(Rows);
  }

  std::vector<Rows> waiting_;
};

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    const auto made = support::read_column(std::move(batch));
    values.insert(values.end(), made.begin(), made.end());
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  Rows values;
};

tuple::Schema ints() { return support::make_schema({{.format = "l", .name = "value"}}); }

tuple::Tuple tuple_of(const Rows& values) {
  return {.batch = support::make_int_batch(values), .origin = {}};
}

TEST(KeyedRows, gives_out_what_was_made_and_the_rest_at_the_end_by_key) {
  Pairs pairs(ints(), {.keys = {0}});
  Collected output;
  pairs.process(tuple_of({7, 3, 7, -5}), 0, output);
  EXPECT_EQ(output.values, (Rows{14}));
  pairs.finish(output);
  EXPECT_EQ(output.values, (Rows{14, -5, 3}));
}

TEST(KeyedRows, has_one_key_for_all_rows_without_key_columns) {
  Pairs pairs(ints(), {});
  Collected output;
  pairs.process(tuple_of({7, 3, 5}), 0, output);
  pairs.finish(output);
  EXPECT_EQ(output.values, (Rows{10, 5}));
}

TEST(KeyedRows, gives_out_what_was_made_before_a_row_that_failed) {
  Pairs pairs(ints(), {.keys = {0}});
  Collected output;
  try {
    pairs.process(tuple_of({7, 7, -1, 3, 3}), 0, output);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
  }
  EXPECT_EQ(output.values, (Rows{14}));
}

TEST(KeyedRows, begins_where_a_snapshot_left_off) {
  Pairs before(ints(), {.keys = {0}});
  Collected output;
  before.process(tuple_of({1, 2, 3, 2}), 0, output);
  Pairs after(ints(), {.keys = {0}});
  after.collect(before.snapshot());
  EXPECT_EQ(after.keys(), 3U);
  output.values.clear();
  after.process(tuple_of({3, 2}), 0, output);
  after.finish(output);
  EXPECT_EQ(output.values, (Rows{6, 1, 2}));
}

// What an operator says when it is given those rows and may remember next to nothing.
template <typename Operator, typename... Options>
std::string complaint(const tuple::Schema& schema, ops::KeyedRows::Options keyed, tuple::Batch rows,
                      Options&&... options) {
  keyed.most_bytes = 100;
  Operator made(schema, keyed, std::forward<Options>(options)...);
  Collected output;
  try {
    made.process({.batch = std::move(rows), .origin = {}}, 0, output);
  } catch (const std::length_error& error) {
    return error.what();
  }
  return "nothing";
}

// With '#' for every "123 bytes": how many there are is the allocator's business.
std::string without_sizes(const std::string& said) {
  constexpr std::string_view kDigits = "0123456789";
  std::string made;
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = std::min(said.find_first_not_of(kDigits, at), said.size());
    if (end != at && said.compare(end, 6, " bytes") == 0) {
      made += '#';
      at = end;
    } else {
      made += said[at++];
    }
  }
  return made;
}

TEST(KeyedRows, refuses_to_remember_more_than_it_may) {
  const auto said = complaint<Pairs>(ints(), {.keys = {0}}, support::make_int_batch({1, 2, 3, 2}));
  EXPECT_NE(said.find("spark.penstock.state.maxBytes allows 100"), std::string::npos) << said;
  EXPECT_NE(said.find("of 3 keys, each with as much as the others"), std::string::npos) << said;
}

TEST(KeyedRows, says_that_there_is_no_key_to_spread) {
  const auto said =
      complaint<ops::TopK>(ints(), {}, support::make_int_batch(Rows(99, 5)), std::size_t{50},
                           std::vector<ops::TopK::By>{{.column = 0}});
  EXPECT_NE(said.find("bytes, without a key that could be spread"), std::string::npos) << said;
}

TEST(KeyedRows, names_the_keys_of_which_it_remembers_most) {
  Rows values;
  for (std::int64_t key = -4; key < 4; ++key) values.insert(values.end(), key == 3 ? 9 : 1, key);
  values.insert(values.end(), 5, -2);
  const auto said =
      complaint<ops::TopK>(ints(), {.keys = {0}}, support::make_int_batch(values), std::size_t{50},
                           std::vector<ops::TopK::By>{{.column = 0}});
  const auto told = without_sizes(said);
  EXPECT_NE(told.find("of 8 keys, the largest value = 3 (# bytes); value = -2 (# bytes); value = "),
            std::string::npos)
      << said;
  EXPECT_NE(told.find(" (# bytes); spark"), std::string::npos) << said;
}

TEST(KeyedRows, names_the_longest_keys_where_nothing_else_differs) {
  const std::vector<support::Type> types{{.format = "u", .name = "word"}};
  const std::string odd = "\xC3\xA4\n\xFF\xC3";
  const auto said = complaint<ops::Take>(
      support::make_schema(types), {.keys = {0}},
      support::make_batch(
          types, {{support::text("b"), support::text(odd), support::text(std::string(99, 'x'))}}),
      std::int64_t{5});
  EXPECT_NE(said.find("the largest word = '" + std::string(40, 'x') +
                      "...' (99 bytes); word = '\xC3\xA4?"
                      "?"
                      "?' (5 bytes); word = 'b' (1 bytes);"),
            std::string::npos)
      << said;
}

// The same rows through a region whose channels come and go.
TEST(KeyedRows, makes_the_same_rows_on_any_channels_and_at_the_end) {
  constexpr int kMost = 8;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::vector<region::Channel> channels;
    for (int i = 0; i < kMost; ++i) {
      std::vector<region::Channel::Member> members;
      members.push_back(
          {.name = "first", .body = std::make_unique<Pairs>(ints(), Pairs::Options{.keys = {0}})});
      channels.emplace_back(std::move(members));
    }
    region::Channels::Options options;
    options.widths = {.least = 1, .most = kMost, .first = 1};
    region::Channels region(ints(), ints(), region::Splitter(tuple::KeyColumns(ints(), {0})),
                            std::move(channels), std::move(options));
    Pairs alone(ints(), {.keys = {0}});
    Collected expected;
    Collected found;
    int width = 1;
    for (const int next : {4, 2, 3, 8, 1, 5}) {
      Rows values(random() % 40);
      for (auto& value : values) value = static_cast<std::int64_t>(random() % 50);
      alone.process(tuple_of(values), 0, expected);
      region.process_whole(tuple_of(values), {.width = width}, found);
      const auto moving = region.begin_resize(width, next);
      for (int part = 0; part < kMost; ++part) region.give(part, *moving);
      for (int part = 0; part < kMost; ++part) region.take(part, *moving);
      width = next;
    }
    alone.finish(expected);
    region.finish(found);
    EXPECT_EQ(found.values, expected.values) << "seed " << seed;
  }
}

// What the first of two operators gives at the end is worked on by the second before its own end.
TEST(KeyedRows, comes_to_an_end_one_operator_after_the_other) {
  for (const int width : {1, 3}) {
    std::vector<region::Channel> channels;
    for (int i = 0; i < width; ++i) {
      std::vector<region::Channel::Member> members;
      for (const char* name : {"first", "second"}) {
        members.push_back(
            {.name = name, .body = std::make_unique<Pairs>(ints(), Pairs::Options{.keys = {0}})});
      }
      channels.emplace_back(std::move(members));
    }
    region::Channels::Options options;
    options.widths = {.least = width, .most = width, .first = width};
    region::Channels region(ints(), ints(), region::Splitter(tuple::KeyColumns(ints(), {0})),
                            std::move(channels), std::move(options));
    Collected found;
    region.process_whole(tuple_of({0, 0, 0, 4}), {.width = width}, found);
    EXPECT_TRUE(found.values.empty());
    region.finish(found);
    // 0 + 0 met the 0 that was left; 4 was left in the second as well.
    EXPECT_EQ(found.values, (Rows{0, 4})) << width << " channels";
  }
}

}  // namespace
}  // namespace penstock
