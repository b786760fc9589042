#include "penstock/ops/tag.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using ops::Tag;
using support::Type;

class Last final : public graph::Output {
 public:
  void emit(tuple::Batch made, int /*port*/) override { batch = std::move(made); }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  tuple::Batch batch;
};

TEST(Tag, puts_columns_at_their_places_and_null_at_others) {
  const std::vector<Type> types{{.format = "c"},   {.format = "u"},   {.format = "l"},
                                {.format = "b"},   {.format = "U"},   {.format = "u"},
                                {.format = "w:3"}, {.format = "tsu:"}};
  Tag tag(support::make_schema(types), 1, {0, -1, -1, -1, -1, -1, -1});
  const support::Values given{support::text("x"), support::null_value(), support::text("z")};
  Last output;
  tag.process({.batch = support::make_batch({{.format = "u"}}, {given}).slice(1, 2), .origin = {}},
              0, output);
  ASSERT_EQ(output.batch.rows(), 2);
  const auto values = support::read_batch(types, output.batch);
  EXPECT_EQ(values[0], (support::Values(2, support::number(std::int8_t{1}))));
  EXPECT_EQ(values[1], (support::Values{support::null_value(), support::text("z")}));
  for (std::size_t at = 2; at < types.size(); ++at) {
    EXPECT_EQ(values[at], support::Values(2, support::null_value())) << types[at].format;
  }
}

TEST(Tag, refuses_columns_that_cannot_be_kept_and_a_wrong_number) {
  const auto nested =
      support::make_schema({{.format = "c"}, {.format = "+l", .children = {{.format = "l"}}}});
  EXPECT_THROW(Tag(nested, 0, {0}), std::invalid_argument);
  EXPECT_THROW(Tag(support::make_schema({{.format = "c"}}), 0, {0}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
