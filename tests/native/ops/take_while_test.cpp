#include "penstock/ops/take_while.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::TakeWhile;
using support::null_value;
using support::text;
using support::Type;
using support::Values;
using support::wholes;

const std::vector<Type> kTypes{
    {.format = "u", .name = "key"}, {.format = "b", .name = "good"}, {.format = "l", .name = "n"}};

const support::Value kTrue = text(std::string(1, '\1'));
const support::Value kFalse = text(std::string(1, '\0'));

Values kept(TakeWhile& take, const Values& keys, const Values& good, const Values& numbers) {
  support::KeptColumn output(kTypes, 2);
  take.process(support::tuple_of(kTypes, {keys, good, numbers}), 0, output);
  return output.values;
}

TEST(TakeWhile, ends_at_the_first_row_of_a_key_that_is_not_good) {
  TakeWhile take(support::make_schema(kTypes), {.keys = {0}}, 1);
  EXPECT_EQ(kept(take, {text("a"), text("b"), text("a"), text("b"), text("b")},
                 {kTrue, kTrue, kFalse, kTrue, null_value()}, wholes({1, 2, 3, 4, 5})),
            wholes({1, 2, 4}));
  EXPECT_EQ(kept(take, {text("a"), text("b"), text("c")}, Values(3, kTrue), wholes({6, 7, 8})),
            wholes({8}));
}

TEST(TakeWhile, without_keys_ends_for_all_rows) {
  TakeWhile take(support::make_schema(kTypes), {}, 1);
  EXPECT_EQ(
      kept(take, {text("a"), text("b"), text("c")}, {kTrue, kFalse, kTrue}, wholes({1, 2, 3})),
      wholes({1}));
}

TEST(TakeWhile, an_end_moves_with_its_key) {
  TakeWhile before(support::make_schema(kTypes), {.keys = {0}}, 1);
  TakeWhile after(support::make_schema(kTypes), {.keys = {0}}, 1);
  kept(before, {text("a"), text("b")}, {kFalse, kTrue}, wholes({1, 2}));
  support::move_all(before, after);
  EXPECT_EQ(kept(after, {text("a"), text("b")}, {kTrue, kTrue}, wholes({3, 4})), wholes({4}));
}

TEST(TakeWhile, a_column_that_is_not_boolean_is_named) {
  try {
    const TakeWhile refused(support::make_schema(kTypes), {}, 2);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'n'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace penstock
