#include "penstock/ops/punctuate.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/arrow_values.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

// Rows as numbers, marks as -1.
class Collected final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    for (const auto value : support::read_column(std::move(batch))) seen.push_back(value);
  }
  void punctuate(int /*port*/) override { seen.push_back(-1); }
  [[nodiscard]] int ports() const override { return 1; }

  std::vector<std::int64_t> seen;
};

using Seen = std::vector<std::int64_t>;

TEST(Punctuate, marks_every_so_many_rows_however_they_come) {
  ops::Punctuate punctuate({.every = 3});
  Collected output;
  for (const Seen& rows : {Seen{1, 2}, Seen{3, 4, 5, 6, 7, 8, 9}, Seen{}, Seen{10}}) {
    punctuate.process({.batch = support::make_int_batch(rows), .origin = {}}, 0, output);
  }
  EXPECT_EQ(output.seen, (Seen{1, 2, 3, -1, 4, 5, 6, -1, 7, 8, 9, -1, 10}));
}

TEST(Punctuate, marks_behind_rows_for_which_a_column_is_true) {
  const std::vector<support::Type> types{{.format = "l"}, {.format = "b"}};
  const auto flag = [](bool value) { return support::text(std::string(1, value ? '\1' : '\0')); };
  const support::Values numbers{support::number<std::int64_t>(1), support::number<std::int64_t>(2),
                                support::number<std::int64_t>(3), support::number<std::int64_t>(4)};
  const support::Values ends{flag(false), flag(true), support::null_value(), flag(true)};
  ops::Punctuate punctuate({.column = 1});
  Collected output;
  const auto batch = support::make_batch(types, {numbers, ends});
  punctuate.process({.batch = batch.slice(1, 3), .origin = {}}, 0, output);
  EXPECT_EQ(output.seen, (Seen{2, -1, 3, 4, -1}));
}

TEST(Punctuate, is_told_one_thing_only) {
  EXPECT_THROW(ops::Punctuate({}), std::invalid_argument);
  EXPECT_THROW(ops::Punctuate({.every = 1, .column = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
