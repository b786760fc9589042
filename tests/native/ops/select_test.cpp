#include "penstock/ops/select.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"

namespace penstock {
namespace {

class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override { batches.push_back(std::move(batch)); }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  std::vector<tuple::Batch> batches;
};

tuple::Tuple three_columns() {
  ArrowArray array = support::make_int_array({{1, 2}, {3, 4}, {5, 6}});
  return {.batch = tuple::Batch::adopt(array), .origin = {.first = 0, .count = 2}};
}

TEST(Select, keeps_the_columns_asked_for_in_that_order) {
  Collected output;
  ops::Select({2, 0}).process(three_columns(), 0, output);
  ASSERT_EQ(output.batches.size(), 1U);
  EXPECT_EQ(support::read_column(output.batches[0], 0), (std::vector<std::int64_t>{5, 6}));
  EXPECT_EQ(support::read_column(output.batches[0], 1), (std::vector<std::int64_t>{1, 2}));
}

TEST(Select, says_which_column_is_missing) {
  Collected output;
  ops::Select select({3});
  try {
    select.process(three_columns(), 0, output);
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "column 3 was asked for, but the rows have 3 columns");
  }
  EXPECT_THROW(ops::Select({-1}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
