#include "penstock/region/splitter.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"

namespace penstock {
namespace {

using region::Split;
using region::Splitter;
using support::KeyCounter;
using support::make_int_batch;

Splitter by_value(Splitter::KeyFunction function = {}) {
  Splitter splitter(tuple::KeyColumns(support::int_schema(), {0}), std::move(function));
  splitter.set_most(8);
  for (int width = 1; width <= 8; ++width) splitter.prepare(width);
  return splitter;
}

TEST(Splitter, without_a_key_sends_whole_tuples_to_the_channels_in_turn) {
  const Splitter splitter;
  EXPECT_FALSE(splitter.by_key());
  Split split;
  std::vector<int> went;
  for (std::uint64_t serial = 0; serial < 5; ++serial) {
    splitter.split(make_int_batch({1, 2, 3}), {.width = 3, .serial = serial}, split);
    went.push_back(split.whole);
    EXPECT_EQ(split.rows, 3);
  }
  EXPECT_EQ(went, (std::vector<int>{0, 1, 2, 0, 1}));
}

TEST(Splitter, sends_every_row_to_the_channel_of_its_key) {
  const Splitter splitter = by_value();
  std::vector<std::int64_t> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i % 40);
  for (int width = 2; width <= 8; ++width) {
    Split split;
    splitter.split(make_int_batch(values), {.width = width}, split);
    ASSERT_EQ(split.whole, Split::kCut);
    ASSERT_EQ(split.cut.parts(), width);
    for (int channel = 0; channel < width; ++channel) {
      for (const auto row : split.cut.rows_of(channel)) {
        const auto hash = KeyCounter::hash_of(values[static_cast<std::size_t>(row)]);
        EXPECT_EQ(splitter.ring(width).channel_of(hash), channel);
      }
    }
  }
}

TEST(Splitter, does_not_look_at_keys_when_there_is_one_channel) {
  const Splitter splitter = by_value();
  Split split;
  splitter.split(make_int_batch({4, 5}), {.width = 1, .serial = 7}, split);
  EXPECT_EQ(split.whole, 0);
  EXPECT_EQ(split.rows, 2);
}

TEST(Splitter, goes_by_what_a_key_function_makes) {
  const Splitter halves = by_value([](const tuple::Batch& batch) {
    auto values = support::read_column(batch);
    for (auto& value : values) value /= 2;
    return make_int_batch(std::move(values));
  });
  Split split;
  halves.split(make_int_batch({0, 1, 2, 3, 40, 41}), {.width = 8}, split);
  EXPECT_EQ(split.channel_of[0], split.channel_of[1]);
  EXPECT_EQ(split.channel_of[2], split.channel_of[3]);
  EXPECT_EQ(split.channel_of[4], split.channel_of[5]);
  EXPECT_EQ(split.channel_of[4], halves.ring(8).channel_of(KeyCounter::hash_of(20)));
}

Splitter fails_at_nine() {
  return by_value([](const tuple::Batch& batch) {
    for (const auto value : support::read_column(batch)) {
      if (value == 9) throw std::runtime_error("nine has no key");
    }
    return batch;
  });
}

TEST(Splitter, splits_the_rows_before_the_first_one_without_a_key) {
  const Splitter splitter = fails_at_nine();
  for (const int width : {1, 4}) {
    for (std::int64_t bad = 0; bad < 7; ++bad) {
      std::vector<std::int64_t> values{1, 2, 3, 4, 5, 6, 9};
      values[static_cast<std::size_t>(bad)] = 9;
      Split split;
      splitter.split(make_int_batch(values), {.width = width}, split);
      EXPECT_EQ(split.rows, bad);
      ASSERT_TRUE(split.failure);
      EXPECT_EQ(split.failure.get().row(), bad);
      EXPECT_TRUE(split.whole == 0 || std::ssize(split.channel_of) == bad);
      splitter.split(make_int_batch({1, 2}), {.width = width}, split);
      EXPECT_FALSE(split.failure) << "of the tuple before";
      EXPECT_EQ(split.rows, 2);
    }
  }
}

TEST(Splitter, refuses_a_key_function_that_makes_another_number_of_keys) {
  const Splitter splitter =
      by_value([](const tuple::Batch& batch) { return batch.slice(0, batch.rows() - 1); });
  Split split;
  splitter.split(make_int_batch({1, 2}), {.width = 2}, split);
  ASSERT_TRUE(split.failure);
  try {
    std::rethrow_exception(split.failure.cause());
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the key function made 0 keys of 1 rows");
  }
}

}  // namespace
}  // namespace penstock
