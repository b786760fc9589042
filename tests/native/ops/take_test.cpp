#include "penstock/ops/take.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::Take;
using support::null_value;
using support::text;
using support::Type;
using support::Values;
using support::wholes;

const std::vector<Type> kTypes{{.format = "u", .name = "key"}, {.format = "l", .name = "n"}};

Values kept(Take& take, const Values& keys, const Values& numbers) {
  support::KeptColumn output(kTypes, 1);
  take.process(support::tuple_of(kTypes, {keys, numbers}), 0, output);
  return output.values;
}

TEST(Take, counts_the_rows_of_each_key_over_all_tuples) {
  Take take(support::make_schema(kTypes), {.keys = {0}}, 2);
  EXPECT_EQ(kept(take, {text("a"), null_value(), text("a"), text("a")}, wholes({1, 2, 3, 4})),
            wholes({1, 2, 3}));
  EXPECT_EQ(kept(take, {null_value(), text("a"), null_value()}, wholes({5, 6, 7})), wholes({5}));
}

TEST(Take, without_keys_counts_all_rows) {
  Take take(support::make_schema(kTypes), {}, 3);
  EXPECT_EQ(kept(take, {text("a"), text("b")}, wholes({1, 2})), wholes({1, 2}));
  EXPECT_EQ(kept(take, {text("c"), text("a")}, wholes({3, 4})), wholes({3}));
  Take none(support::make_schema(kTypes), {}, 0);
  EXPECT_EQ(kept(none, {text("a")}, wholes({1})), wholes({}));
}

TEST(Take, wants_no_more_once_it_has_its_rows_unless_it_goes_by_key) {
  Take all(support::make_schema(kTypes), {}, 2);
  kept(all, {text("a")}, wholes({1}));
  EXPECT_FALSE(all.completed());
  kept(all, {text("b")}, wholes({2}));
  EXPECT_TRUE(all.completed());
  Take by_key(support::make_schema(kTypes), {.keys = {0}}, 2);
  kept(by_key, {text("a"), text("a")}, wholes({1, 2}));
  EXPECT_FALSE(by_key.completed());
}

TEST(Take, goes_on_counting_where_another_left_off) {
  Take before(support::make_schema(kTypes), {.keys = {0}}, 3);
  kept(before, {text("a"), text("b"), text("a")}, wholes({1, 2, 3}));
  for (const auto& [most, left] : {std::pair{3, 1}, std::pair{2, 0}, std::pair{1, 0}}) {
    Take after(support::make_schema(kTypes), {.keys = {0}}, most);
    support::move_all(before, after);
    EXPECT_EQ(std::ssize(kept(after, Values(5, text("a")), wholes({4, 5, 6, 7, 8}))), left);
  }
}

TEST(Take, less_than_no_rows_are_refused) {
  EXPECT_THROW(Take(support::make_schema(kTypes), {}, -1), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
