#include "penstock/graph/keyed_operator.hpp"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"

namespace penstock {
namespace {

using graph::FailedAtRow;
using graph::FirstFailure;

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

// Counts the rows of each value; odd and even ones are parts of their own. Refuses some values.
class Counting final : public graph::KeyedOperator {
 public:
  struct Counted final : graph::Pieces {
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> counts;
  };

  [[nodiscard]] int parts() const noexcept override { return 2; }
  [[nodiscard]] std::unique_ptr<graph::Pieces> cut(
      const tuple::Tuple& tuple, std::unique_ptr<graph::Pieces> used) const override {
    used_again += used != nullptr ? 1 : 0;
    if (used == nullptr) used = std::make_unique<Counted>();
    auto& counted = static_cast<Counted&>(*used);
    counted.values = support::read_column(tuple.batch, 0);
    counted.counts.assign(counted.values.size(), 0);
    return used;
  }
  void process_part(int part, const tuple::Tuple& /*tuple*/, graph::Pieces& pieces) override {
    auto& counted = static_cast<Counted&>(pieces);
    for (std::size_t row = 0; row < counted.values.size(); ++row) {
      const std::int64_t value = counted.values[row];
      if (value % 2 != part) continue;
      if (value >= 100) throw FailedAtRow(static_cast<std::int64_t>(row), cause("too large"));
      counted.counts[row] = ++seen_[part][value];
    }
  }
  void join(const tuple::Tuple& /*tuple*/, std::int64_t rows, graph::Pieces& pieces,
            graph::Output& output) const override {
    auto counts = static_cast<Counted&>(pieces).counts;
    counts.resize(static_cast<std::size_t>(rows));
    output.emit(support::make_int_batch(std::move(counts)), 0);
  }

  mutable int used_again = 0;

 private:
  std::map<int, std::map<std::int64_t, std::int64_t>> seen_;
};

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

TEST(KeyedOperator, works_on_all_parts_of_a_tuple_and_joins_them) {
  Counting counting;
  Collected output;
  counting.process(tuple_of({1, 2, 1, 2, 3}), 0, output);
  counting.process(tuple_of({3, 2}), 0, output);
  EXPECT_EQ(output.values, (std::vector<Rows>{{1, 1, 2, 2, 1}, {2, 3}}));
  EXPECT_EQ(counting.used_again, 1);
}

TEST(KeyedOperator, emits_what_the_rows_before_the_first_failure_made) {
  Counting counting;
  Collected output;
  try {
    counting.process(tuple_of({1, 2, 101, 2, 100}), 0, output);
    FAIL() << "two rows are too large";
  } catch (const FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 2) << "although the part of even values comes first";
  }
  EXPECT_EQ(output.values, (std::vector<Rows>{{1, 1}}));
}

}  // namespace
}  // namespace penstock
