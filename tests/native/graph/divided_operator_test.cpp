#include "penstock/graph/divided_operator.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/counting.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

using graph::FailedAtRow;
using graph::FirstFailure;
using support::Counting;

std::exception_ptr cause(const char* text) {
  return std::make_exception_ptr(std::runtime_error(text));
}

TEST(FirstFailure, is_that_of_the_earliest_row_in_whatever_order_they_come) {
  FirstFailure failure;
  EXPECT_FALSE(failure);
  EXPECT_EQ(failure.rows_before(10), 10);
  const auto early = cause("early");
  failure.add(FailedAtRow(7, cause("late")));
  failure.add(FailedAtRow(3, early));
  failure.add(FailedAtRow(5, cause("between")));
  EXPECT_TRUE(failure);
  EXPECT_EQ(failure.rows_before(10), 3);
  EXPECT_EQ(failure.cause(), early);
  failure.clear();
  EXPECT_FALSE(failure);
}

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    values.push_back(support::read_column(batch, 0));
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  std::vector<std::vector<std::int64_t>> values;
};

using Rows = std::vector<std::int64_t>;

tuple::Tuple tuple_of(Rows values) {
  const auto rows = static_cast<std::int64_t>(values.size());
  return {.batch = support::make_int_batch(std::move(values)), .origin = {.count = rows}};
}

TEST(DividedOperator, works_on_all_parts_of_a_tuple_and_joins_them) {
  Counting counting(2);
  Collected output;
  counting.process(tuple_of({1, 2, 1, 2, 3}), 0, output);
  counting.process(tuple_of({3, 2}), 0, output);
  EXPECT_EQ(output.values, (std::vector<Rows>{{1, 1, 2, 2, 1}, {2, 3}}));
}

TEST(DividedOperator, emits_what_the_rows_before_the_first_failure_made) {
  Counting counting(2);
  Collected output;
  try {
    counting.process(tuple_of({1, 2, Counting::kTooLarge + 1, 2, Counting::kTooLarge}), 0, output);
    FAIL() << "two rows are too large";
  } catch (const FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2) << "although the part of even values comes first";
  }
  EXPECT_EQ(output.values, (std::vector<Rows>{{1, 1}}));
}

}  // namespace
}  // namespace penstock
