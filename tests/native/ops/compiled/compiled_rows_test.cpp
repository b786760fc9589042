#include "penstock/ops/compiled/compiled_rows.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "penstock/graph/row_failure.hpp"

#include "ops/compiled/functions.hpp"

namespace penstock {
namespace {

using ops::CompiledRows;
using support::compiled;
using support::Emitted;
using support::null_value;
using support::number;
using support::text;
using support::tuple_of;
using support::Type;
using support::Values;

const Type kLong{.format = "l", .name = "n"};

Values longs(const std::vector<std::int64_t>& values) {
  Values made;
  for (const auto value : values) made.push_back(number(value));
  return made;
}

tuple::Batch long_batch(const std::vector<std::int64_t>& values) {
  return support::make_batch({kLong}, {longs(values)});
}

// Passes even numbers on, once or, from 100 on, twice; fails at a negative one.
std::int32_t pass_even(penstock_frame* frame) {
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    const auto n = support::number_at<std::int64_t>(frame->columns[0], i);
    if (n < 0) return support::fail(frame, i, "a number is negative");
    for (int times = n % 2 != 0 ? 0 : n < 100 ? 1 : 2; times > 0; --times) {
      support::add_row(frame, i);
    }
  }
  return 0;
}

// Makes n rows of a row n: "n/0", "n/1", and whether it is the first; null if n is null.
std::int32_t repeat(penstock_frame* frame) {
  for (std::int64_t i = 0; i < frame->rows; ++i) {
    if (!support::is_valid(frame->columns[0], i)) {
      const auto row = support::add_row(frame, i);
      for (const std::size_t column : {0, 1}) frame->out[column].valid[row] = 0;
      frame->out[0].ends[row] = static_cast<std::int32_t>(frame->out[0].bytes);
      continue;
    }
    const auto n = support::number_at<std::int64_t>(frame->columns[0], i);
    for (std::int64_t k = 0; k < n; ++k) {
      const auto row = support::add_row(frame, i);
      support::put_bytes(frame, 0, row, std::to_string(n) + "/" + std::to_string(k));
      support::put_number<std::uint8_t>(frame, 1, row, k == 0 ? 1 : 0);
    }
  }
  return 0;
}

const std::vector<Type> kRepeated{{.format = "u", .name = "text"},
                                  {.format = "b", .name = "first"}};

TEST(CompiledRows, passes_on_the_rows_that_the_function_says) {
  CompiledRows even(compiled({kLong}, pass_even));
  Emitted output;
  even.process(tuple_of(long_batch({1, 2, 4, 5, 100, 6})), 0, output);
  EXPECT_EQ(output.read({kLong})[0], longs({2, 4, 100, 100, 6}));
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{1, 2, 4, 4, 5}));
}

TEST(CompiledRows, passes_a_whole_batch_on_without_copying_it) {
  CompiledRows even(compiled({kLong}, pass_even));
  const auto batch = long_batch({2, 4, 6});
  Emitted output;
  even.process(tuple_of(batch), 0, output);
  ASSERT_EQ(output.batches.size(), 1);
  EXPECT_EQ(output.batches[0].column(0).array, batch.column(0).array);
}

TEST(CompiledRows, emits_nothing_where_no_row_is_made) {
  CompiledRows even(compiled({kLong}, pass_even));
  Emitted output;
  even.process(tuple_of(long_batch({1, 3})), 0, output);
  even.process(tuple_of(long_batch({})), 0, output);
  EXPECT_TRUE(output.batches.empty());
}

TEST(CompiledRows, room_grows_for_as_many_rows_and_bytes_as_are_made) {
  CompiledRows repeated(compiled({kLong}, kRepeated, repeat));
  Emitted output;
  repeated.process(
      tuple_of(support::make_batch({kLong}, {{number(std::int64_t{5000}), null_value(),
                                              number(std::int64_t{0}), number(std::int64_t{2})}})),
      0, output);
  const auto made = output.read(kRepeated);
  ASSERT_EQ(made[0].size(), 5003);
  EXPECT_EQ(made[0][4999], text("5000/4999"));
  EXPECT_EQ(made[1][0], text(std::string(1, '\1')));
  EXPECT_EQ(made[1][1], text(std::string(1, '\0')));
  EXPECT_EQ(made[0][5000], null_value());
  EXPECT_EQ(made[1][5000], null_value());
  EXPECT_EQ(made[0][5002], text("2/1"));
  EXPECT_EQ(output.from.back(), 3);
}

TEST(CompiledRows, room_is_used_again_without_anything_of_the_last_call) {
  CompiledRows repeated(compiled({kLong}, kRepeated, repeat));
  for (const std::int64_t n : {3, 1}) {
    Emitted output;
    repeated.process(tuple_of(long_batch({n})), 0, output);
    EXPECT_EQ(output.read(kRepeated)[0].back(),
              text(std::to_string(n) + "/" + std::to_string(n - 1)));
    EXPECT_EQ(output.from.size(), static_cast<std::size_t>(n));
  }
}

TEST(CompiledRows, a_failure_names_its_row_and_comes_after_what_the_rows_before_made) {
  CompiledRows even(compiled({kLong}, pass_even));
  Emitted output;
  try {
    even.process(tuple_of(long_batch({2, 3, 4, -1, 6})), 0, output);
    FAIL() << "-1 is negative";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 3);
    try {
      std::rethrow_exception(failed.cause());
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "a number is negative");
    }
  }
  EXPECT_EQ(output.read({kLong})[0], longs({2, 4}));
}

TEST(CompiledRows, a_null_in_a_column_that_is_never_null_is_a_failure_of_its_row) {
  auto types = kRepeated;
  types[0].nullable = false;
  CompiledRows repeated(compiled({kLong}, types, repeat));
  const auto batch = support::make_batch(
      {kLong}, {{number(std::int64_t{1}), number(std::int64_t{2}), null_value()}});
  Emitted output;
  try {
    repeated.process(tuple_of(batch), 0, output);
    FAIL() << "a null was made";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
    EXPECT_THROW(std::rethrow_exception(failed.cause()), std::runtime_error);
  }
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{0, 1, 1}));
}

// Fails at the second row, having made rows of it and of the third as well.
std::int32_t fail_late(penstock_frame* frame) {
  for (std::int64_t i = 0; i < frame->rows; ++i) support::add_row(frame, i);
  return support::fail(frame, 1, "the second");
}

TEST(CompiledRows, what_a_function_made_of_the_row_it_failed_at_is_dropped) {
  CompiledRows late(compiled({kLong}, fail_late));
  Emitted output;
  EXPECT_THROW(late.process(tuple_of(long_batch({7, 8, 9})), 0, output), graph::FailedAtRow);
  EXPECT_EQ(output.read({kLong})[0], longs({7}));
}

// Keeps silent about the why, and names a row that was not given.
std::int32_t fail_nowhere(penstock_frame* frame) {
  frame->failed = frame->rows;
  return 1;
}

TEST(CompiledRows, a_failure_at_a_row_that_was_not_given_is_told_as_that) {
  CompiledRows nowhere(compiled({kLong}, fail_nowhere));
  Emitted output;
  try {
    nowhere.process(tuple_of(long_batch({7})), 0, output);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("row 1 of 1"), std::string::npos) << error.what();
  }
}

// Needs more bytes than a string column can hold.
std::int32_t make_too_much(penstock_frame* frame) {
  frame->failed = 0;
  return frame->grow_bytes(frame, 0, std::int64_t{1} << 31U);
}

TEST(CompiledRows, a_function_that_was_refused_room_and_says_nothing_fails_with_the_reason) {
  CompiledRows much(compiled({kLong}, kRepeated, make_too_much));
  Emitted output;
  try {
    much.process(tuple_of(long_batch({7})), 0, output);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    try {
      std::rethrow_exception(failed.cause());
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("'text'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace penstock
