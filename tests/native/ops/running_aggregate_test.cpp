#include "penstock/ops/running_aggregate.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::RunningAggregate;
using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Value;
using support::Values;

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override { made = std::move(batch); }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  tuple::Batch made;
};

const Type kText{.format = "u", .name = "key"};

tuple::Tuple tuple_of(const Type& type, Values keys, Values values) {
  tuple::Batch batch = support::make_batch({kText, type}, {std::move(keys), std::move(values)});
  const auto rows = batch.rows();
  return {.batch = std::move(batch), .origin = {.count = rows}};
}

RunningAggregate over(const Type& type, Function function, int parts = 1) {
  return RunningAggregate(support::make_schema({kText, type}),
                          {.keys = {0}, .aggregates = {{function, 1}}, .parts = parts});
}

Values column(const Type& type, const tuple::Batch& batch, int position) {
  return support::read_batch({type}, batch.select(std::vector{position}))[0];
}

// The column that was added.
Values running(RunningAggregate& aggregate, const tuple::Tuple& tuple, const Type& type) {
  Collected output;
  aggregate.process(tuple, 0, output);
  return column(type, output.made, 2);
}

const Values kKeys{text("a"), text("b"), text("a"), null_value(), text("a")};

TEST(RunningAggregate, passes_over_nulls_and_is_null_before_the_first_value) {
  const Type type{.format = "i", .name = "value"};
  auto sum = over(type, Function::kSum, 3);
  const Values given{null_value(), number(5), number(2), number(7), null_value()};
  EXPECT_EQ(running(sum, tuple_of(type, kKeys, given), {.format = "l"}),
            (Values{null_value(), number(std::int64_t{5}), number(std::int64_t{2}),
                    number(std::int64_t{7}), number(std::int64_t{2})}));
  EXPECT_EQ(running(sum, tuple_of(type, {text("a"), null_value()}, {number(1), number(1)}),
                    {.format = "l"}),
            (Values{number(std::int64_t{3}), number(std::int64_t{8})}))
      << "what is known of a key stays";
}

TEST(RunningAggregate, marks_nothing_as_valid_where_no_value_is_null) {
  const Type type{.format = "l"};
  for (const Function function : {Function::kSum, Function::kMin, Function::kLast}) {
    auto aggregate = over(type, function);
    const auto nulls = tuple_of(type, {text("a")}, {null_value()});
    EXPECT_EQ(running(aggregate, nulls, type), (Values{null_value()}));
    Collected output;
    aggregate.process(tuple_of(type, {text("a"), text("b")}, {number(4L), number(5L)}), 0, output);
    EXPECT_EQ(column(type, output.made, 2), (Values{number(4L), number(5L)}));
    EXPECT_EQ(output.made.column(2).array->buffers[0], nullptr);
    EXPECT_EQ(output.made.column(2).array->null_count, 0);
  }
}

TEST(RunningAggregate, looks_at_the_rows_of_a_slice_only) {
  const Type type{.format = "s", .name = "value"};
  auto most = over(type, Function::kMax);
  const auto one = [](int value) { return number(static_cast<std::int16_t>(value)); };
  tuple::Tuple tuple = tuple_of(type, kKeys, {one(9), one(1), one(3), one(4), null_value()});
  tuple.batch = tuple.batch.slice(1, 4);
  EXPECT_EQ(running(most, tuple, type), (Values{one(1), one(3), one(4), one(3)}));
}

TEST(RunningAggregate, nan_is_larger_than_any_number) {
  const Type type{.format = "g", .name = "value"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Values keys(3, text("a"));
  const Values given{number(1.0), number(nan), number(2.0)};
  auto most = over(type, Function::kMax);
  auto least = over(type, Function::kMin);
  const auto largest = running(most, tuple_of(type, keys, given), type);
  EXPECT_TRUE(std::isnan(support::as<double>(largest[1])));
  EXPECT_TRUE(std::isnan(support::as<double>(largest[2])));
  EXPECT_EQ(running(least, tuple_of(type, keys, given), type),
            (Values{number(1.0), number(1.0), number(1.0)}));
}

TEST(RunningAggregate, counts_values_of_any_type_and_rows) {
  const Type type{.format = "+l", .children = {{.format = "i"}}, .name = "value"};
  const Values given{support::nested({}), null_value(), support::nested({number(1)}),
                     support::nested({}), null_value()};
  RunningAggregate counts(
      support::make_schema({kText, type}),
      {.keys = {0}, .aggregates = {{Function::kCount, 1}, {Function::kCount, Aggregate::kRows}}});
  Collected output;
  counts.process(tuple_of(type, kKeys, given), 0, output);
  const auto long_of = [](std::int64_t value) { return number(value); };
  EXPECT_EQ(column({.format = "l"}, output.made, 2),
            (Values{long_of(1), long_of(0), long_of(2), long_of(1), long_of(2)}));
  EXPECT_EQ(column({.format = "l"}, output.made, 3),
            (Values{long_of(1), long_of(1), long_of(2), long_of(1), long_of(3)}));
  EXPECT_EQ(column(type, output.made, 1), given) << "what came in goes on";
}

TEST(RunningAggregate, the_first_row_that_fails_in_any_aggregate_is_told) {
  const Type type{.format = "l", .name = "value"};
  const auto most = std::numeric_limits<std::int64_t>::max();
  const auto long_of = [](std::int64_t value) { return number(value); };
  RunningAggregate sums(support::make_schema({kText, type, type}),
                        {.keys = {0}, .aggregates = {{Function::kSum, 1}, {Function::kSum, 2}}});
  tuple::Batch batch = support::make_batch({kText, type, type},
                                           {Values(4, text("a")),
                                            {long_of(1), long_of(1), long_of(1), long_of(most)},
                                            {long_of(1), long_of(1), long_of(most), long_of(1)}});
  Collected output;
  try {
    sums.process({.batch = batch, .origin = {.count = 4}}, 0, output);
    FAIL() << "both sums overflow";
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2);
    EXPECT_THROW(std::rethrow_exception(failed.cause()), std::overflow_error);
  }
  EXPECT_EQ(output.made.rows(), 2);
}

TEST(RunningAggregate, a_column_that_is_no_number_is_named) {
  try {
    const auto refused = over({.format = "u", .name = "value"}, Function::kSum);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'value'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace penstock
