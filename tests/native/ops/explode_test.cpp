#include "penstock/ops/explode.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::Explode;
using support::nested;
using support::null_value;
using support::text;
using support::Type;
using support::Values;
using support::wholes;

const std::vector<Type> kTypes{{.format = "l", .name = "n"},
                               {.format = "+l", .children = {{.format = "u"}}, .name = "tags"},
                               {.format = "u", .name = "host"}};

class Exploded final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override { made = std::move(batch); }
  void emit_rows(tuple::Batch batch, std::span<const std::int32_t> rows, int /*port*/) override {
    made = std::move(batch);
    from.assign(rows.begin(), rows.end());
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  tuple::Batch made;
  std::vector<std::int32_t> from;
};

tuple::Tuple given() {
  return support::tuple_of(
      kTypes, {wholes({1, 2, 3, 4}),
               {nested({text("a"), null_value()}), null_value(), nested({}), nested({text("b")})},
               {text("w"), text("x"), text("y"), text("z")}});
}

TEST(Explode, makes_a_row_of_each_item_and_says_from_which_row) {
  Explode explode(support::make_schema(kTypes), {.column = 1, .position = true});
  Exploded output;
  explode.process(given(), 0, output);
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{0, 0, 3}));
  const auto columns =
      support::read_batch({kTypes[0], {.format = "u"}, kTypes[2], {.format = "i"}}, output.made);
  EXPECT_EQ(columns[0], wholes({1, 1, 4}));
  EXPECT_EQ(columns[1], (Values{text("a"), null_value(), text("b")}));
  EXPECT_EQ(columns[2], (Values{text("w"), text("w"), text("z")}));
  EXPECT_EQ(columns[3], (Values{support::number(0), support::number(1), support::number(0)}));
}

TEST(Explode, outer_makes_a_row_where_there_is_no_item) {
  Explode explode(support::make_schema(kTypes), {.column = 1, .outer = true});
  Exploded output;
  tuple::Tuple tuple = given();
  tuple.batch = tuple.batch.slice(1, 3);
  explode.process(tuple, 0, output);
  EXPECT_EQ(output.from, (std::vector<std::int32_t>{0, 1, 2}));
  const auto columns = support::read_batch({kTypes[0], {.format = "u"}, kTypes[2]}, output.made);
  EXPECT_EQ(columns[1], (Values{null_value(), null_value(), text("b")}));
}

TEST(Explode, a_column_that_is_no_list_is_named) {
  try {
    const Explode refused(support::make_schema(kTypes), {.column = 2});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'host'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace penstock
