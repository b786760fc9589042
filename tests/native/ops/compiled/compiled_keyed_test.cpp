#include "penstock/ops/compiled/compiled_keyed.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "penstock/graph/row_failure.hpp"
#include "penstock/region/hash_ring.hpp"

#include "ops/compiled/functions.hpp"

namespace penstock {
namespace {

using ops::CompiledKeyed;
using support::compiled;
using support::Emitted;
using support::null_value;
using support::number;
using support::text;
using support::tuple_of;
using support::Type;
using support::Value;
using support::Values;

const std::vector<Type> kGiven{{.format = "u", .name = "key"}, {.format = "l", .name = "value"}};
const std::vector<Type> kMade{{.format = "u", .name = "key"}, {.format = "l", .name = "nth"}};

// A record of a key.
struct Seen {
  std::int64_t rows;
  std::int64_t last;
};

Seen& seen(penstock_frame* frame, std::int64_t i) {
  return static_cast<Seen*>(frame->states)[frame->keys[i]];
}

// Passes rows on whose value is not that of the row of the same key before it.
std::int32_t pass_changes(penstock_frame* frame) {
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const auto row = support::place_of(*frame, i);
    const auto value = support::number_at<std::int64_t>(frame->columns[1], row);
    if (value < 0) return support::fail(frame, i, "a value is negative");
    Seen& known = seen(frame, i);
    if (known.rows++ == 0 || known.last != value) support::add_row(frame, row);
    known.last = value;
  }
  return 0;
}

// Makes value % 3 rows of each: its key, and how many rows of the key were made so far.
std::int32_t number_rows(penstock_frame* frame) {
  const penstock_column& keys = frame->columns[0];
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const auto row = support::place_of(*frame, i);
    const auto value = support::number_at<std::int64_t>(frame->columns[1], row);
    if (value < 0) return support::fail(frame, i, "a value is negative");
    for (std::int64_t k = 0; k < value % 3; ++k) {
      const auto made = support::add_row(frame, row);
      if (support::is_valid(keys, row)) {
        const auto from = keys.offsets[row];
        const auto size = static_cast<std::size_t>(keys.offsets[row + 1] - from);
        support::put_bytes(frame, 0, made, {static_cast<const char*>(keys.values) + from, size});
      } else {
        support::put_bytes(frame, 0, made, {});
        frame->out[0].valid[made] = 0;
      }
      support::put_number<std::int64_t>(frame, 1, made, ++seen(frame, i).rows);
    }
  }
  return 0;
}

CompiledKeyed keyed(ops::CompiledFunction function, int parts) {
  return {support::make_schema(kGiven),
          std::move(function),
          sizeof(Seen),
          {.keys = {0}, .parts = parts}};
}

// Rows of few keys, null among them.
struct Rows {
  explicit Rows(unsigned seed) {
    std::minstd_rand random(seed);
    for (int row = 0; row < 400; ++row) {
      const auto key = random() % 7;
      keys.push_back(key == 0 ? null_value() : text("key " + std::to_string(key)));
      values.push_back(number(static_cast<std::int64_t>(random() % 4)));
    }
  }

  [[nodiscard]] tuple::Batch batch() const {
    return support::make_batch(kGiven, {keys, values}, 3);
  }

  Values keys;
  Values values;
};

// All rows in tuples of this length.
std::unique_ptr<Emitted> run(CompiledKeyed& body, const tuple::Batch& batch, std::int64_t length) {
  auto output = std::make_unique<Emitted>();
  for (std::int64_t first = 0; first < batch.rows(); first += length) {
    const auto rows = std::min(length, batch.rows() - first);
    body.process(tuple_of(batch.slice(first, rows)), 0, *output);
  }
  return output;
}

// The result row by row, with nothing of the engine.
std::vector<Values> expected_changes(const Rows& rows) {
  std::map<std::string, std::string> last;
  std::vector<Values> made(2);
  for (std::size_t row = 0; row < rows.keys.size(); ++row) {
    const std::string key = rows.keys[row].null ? "" : rows.keys[row].bytes;
    if (last[key] == rows.values[row].bytes) continue;
    last[key] = rows.values[row].bytes;
    made[0].push_back(rows.keys[row]);
    made[1].push_back(rows.values[row]);
  }
  return made;
}

std::vector<Values> expected_numbers(const Rows& rows) {
  std::map<std::string, std::int64_t> count;
  std::vector<Values> made(2);
  for (std::size_t row = 0; row < rows.keys.size(); ++row) {
    const auto value = support::as<std::int64_t>(rows.values[row]);
    for (std::int64_t k = 0; k < value % 3; ++k) {
      made[0].push_back(rows.keys[row]);
      made[1].push_back(number(++count[rows.keys[row].null ? "" : rows.keys[row].bytes]));
    }
  }
  return made;
}

TEST(CompiledKeyed, the_result_is_that_of_one_thread_for_any_parts_and_tuples) {
  const Rows rows(1);
  for (const int parts : {1, 2, 5}) {
    for (const std::int64_t length : {1, 3, 64, 1000}) {
      auto changes = keyed(compiled(kGiven, pass_changes), parts);
      EXPECT_EQ(run(changes, rows.batch(), length)->read(kGiven), expected_changes(rows))
          << parts << " parts, tuples of " << length;
      auto numbers = keyed(compiled(kGiven, kMade, number_rows), parts);
      EXPECT_EQ(run(numbers, rows.batch(), length)->read(kMade), expected_numbers(rows))
          << parts << " parts, tuples of " << length;
    }
  }
}

// Passes every row on twice.
std::int32_t pass_twice(penstock_frame* frame) {
  for (std::int64_t i = 0; i < 2 * frame->rows; ++i) {
    support::add_row(frame, support::place_of(*frame, i / 2));
  }
  return 0;
}

TEST(CompiledKeyed, rows_passed_on_more_than_once_keep_their_place) {
  const Rows rows(2);
  Values twice;
  for (const Value& value : rows.values) twice.insert(twice.end(), 2, value);
  auto body = keyed(compiled(kGiven, pass_twice), 3);
  const auto output = run(body, rows.batch(), 1000);
  EXPECT_EQ(output->read(kGiven)[1], twice);
  EXPECT_TRUE(std::ranges::is_sorted(output->from));
}

TEST(CompiledKeyed, the_first_row_that_fails_in_any_part_counts) {
  Rows rows(3);
  rows.values[300] = number(std::int64_t{-1});
  for (const std::size_t bad : {200, 201, 202, 203}) rows.values[bad] = number(std::int64_t{-1});
  Rows before = rows;
  before.keys.resize(200);
  before.values.resize(200);
  for (const int parts : {1, 4}) {
    for (const bool passes : {true, false}) {
      auto body = keyed(
          passes ? compiled(kGiven, pass_changes) : compiled(kGiven, kMade, number_rows), parts);
      Emitted output;
      try {
        body.process(tuple_of(rows.batch()), 0, output);
        FAIL() << "a value is negative";
      } catch (const graph::FailedAtRow& failed) {
        EXPECT_EQ(failed.row(), 200);
      }
      EXPECT_EQ(output.read(kGiven), passes ? expected_changes(before) : expected_numbers(before));
    }
  }
}

TEST(CompiledKeyed, what_is_remembered_moves_to_the_channel_that_gets_the_key) {
  const Rows rows(4);
  auto whole = keyed(compiled(kGiven, kMade, number_rows), 1);
  const auto batch = rows.batch();
  const auto expected = run(whole, batch, 1000)->read(kMade)[1];

  std::vector<std::unique_ptr<CompiledKeyed>> channels;
  for (const int parts : {1, 2, 3}) {
    channels.push_back(std::make_unique<CompiledKeyed>(
        support::make_schema(kGiven), compiled(kGiven, kMade, number_rows), sizeof(Seen),
        ops::KeyedParts::Options{.keys = {0}, .parts = parts}));
  }
  const tuple::KeyColumns keys(support::make_schema(kGiven), {0});
  Values made;
  int width = 1;
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    if (row % 50 == 49) {
      const int next = 1 + (width + static_cast<int>(row / 50)) % 3;
      const region::HashRing ring(next);
      std::vector<region::Package> packages;
      for (int from = 0; from < width; ++from) {
        for (auto& each : channels[static_cast<std::size_t>(from)]->donate(ring, from)) {
          packages.push_back(std::move(each));
        }
      }
      for (const auto& each : packages) {
        channels[static_cast<std::size_t>(each.to)]->collect(each.rows);
      }
      width = next;
    }
    std::vector<std::uint64_t> hashes;
    keys.hash(batch.slice(row, 1), hashes);
    Emitted output;
    const int channel = region::HashRing(width).channel_of(hashes[0]);
    channels[static_cast<std::size_t>(channel)]->process(tuple_of(batch.slice(row, 1)), 0, output);
    const auto here = output.read(kMade)[1];
    made.insert(made.end(), here.begin(), here.end());
  }
  EXPECT_EQ(made, expected);
}

TEST(CompiledKeyed, a_key_whose_number_was_used_before_begins_with_zeros) {
  auto body = keyed(compiled(kGiven, kMade, number_rows), 1);
  const Values two(2, number(std::int64_t{2}));
  run(body, support::make_batch(kGiven, {{text("a"), text("b")}, two}), 2);
  const region::HashRing ring(2);
  const auto gone = body.donate(ring, 1).size() + body.donate(ring, 0).size();
  EXPECT_EQ(gone, 2);
  EXPECT_EQ(body.keys(), 0);
  const auto made = run(body, support::make_batch(kGiven, {{text("c"), text("d")}, two}), 2);
  EXPECT_EQ(made->read(kMade)[1][0], number(std::int64_t{1}));
  EXPECT_EQ(made->read(kMade)[1][2], number(std::int64_t{1}));
}

TEST(CompiledKeyed, more_memory_than_is_allowed_is_refused) {
  CompiledKeyed body(support::make_schema(kGiven), compiled(kGiven, pass_changes), sizeof(Seen),
                     {.keys = {0}, .parts = 1, .most_bytes = 1000});
  Emitted output;
  EXPECT_THROW(body.process(tuple_of(Rows(5).batch()), 0, output), std::length_error);
}

}  // namespace
}  // namespace penstock
