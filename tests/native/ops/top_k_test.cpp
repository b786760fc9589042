#include "penstock/ops/top_k.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::TopK;
using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Values;
using support::wholes;

const std::vector<Type> kTypes{
    {.format = "u", .name = "key"}, {.format = "g", .name = "x"}, {.format = "l", .name = "n"}};

TopK over(std::size_t most, std::vector<TopK::By> by, std::vector<int> keys = {0}) {
  return TopK(support::make_schema(kTypes), {.keys = std::move(keys)}, most, std::move(by));
}

void give(TopK& best, const Values& keys, const Values& x, const Values& numbers) {
  support::KeptColumn output(kTypes, 2);
  best.process(support::tuple_of(kTypes, {keys, x, numbers}), 0, output);
  EXPECT_TRUE(output.values.empty()) << "nothing leaves before the end";
}

Values finish(TopK& best) {
  support::KeptColumn output(kTypes, 2);
  best.finish(output);
  return output.values;
}

TEST(TopK, gives_out_the_best_of_each_key_in_the_order_of_the_keys) {
  auto best = over(2, {{.column = 1}});
  give(best, {text("c"), text("a"), text("c"), null_value(), text("b")},
       {number(1.0), number(2.0), number(3.0), number(4.0), number(5.0)}, wholes({1, 2, 3, 4, 5}));
  give(best, {text("c"), text("c")}, {number(2.0), number(0.0)}, wholes({6, 7}));
  EXPECT_EQ(finish(best), wholes({4, 2, 5, 3, 6}));
}

TEST(TopK, of_equals_the_first_that_came_is_the_better_and_null_is_the_worst) {
  auto best = over(3, {{.column = 1, .descending = false}}, {});
  give(best, Values(5, text("a")),
       {null_value(), number(0.0), number(-0.0), number(1.0), number(0.0)},
       wholes({1, 2, 3, 4, 5}));
  EXPECT_EQ(finish(best), wholes({2, 3, 5}));
  auto worst = over(9, {{.column = 1}, {.column = 2}}, {});
  give(worst, Values(3, text("a")), {null_value(), number(1.0), null_value()}, wholes({1, 2, 3}));
  EXPECT_EQ(finish(worst), wholes({2, 3, 1}));
}

TEST(TopK, what_is_kept_moves_with_its_key_and_stays_in_order) {
  const std::vector<TopK::By> by{{.column = 1}};
  auto before = over(3, by);
  auto after = over(3, by);
  give(before, Values(3, text("a")), {number(1.0), number(2.0), number(1.0)}, wholes({1, 2, 3}));
  support::move_all(before, after);
  give(after, Values(2, text("a")), {number(1.0), number(3.0)}, wholes({4, 5}));
  EXPECT_EQ(finish(after), wholes({5, 2, 1}));
  EXPECT_EQ(before.donate(region::HashRing(1), 5).size(), 1U) << "to channel 0, from another";
  EXPECT_EQ(finish(before), wholes({}));
}

TEST(TopK, memory_above_the_limit_is_refused_and_rows_that_lose_take_none) {
  const auto limited = [](std::size_t most) {
    return TopK(support::make_schema(kTypes), {.most_bytes = 20'000}, most, {{.column = 1}});
  };
  auto few = limited(2);
  for (int i = 0; i < 1000; ++i) {
    give(few, {text(std::string(100, 'a'))}, {number(static_cast<double>(i))}, wholes({i}));
  }
  EXPECT_EQ(finish(few), wholes({999, 998}));
  auto many = limited(1000);
  const auto all = [&] {
    for (int i = 0; i < 1000; ++i) {
      give(many, {text(std::string(100, 'a'))}, {number(static_cast<double>(i))}, wholes({i}));
    }
  };
  EXPECT_THROW(all(), std::length_error);
}

TEST(TopK, a_column_that_cannot_be_kept_is_named) {
  const std::vector<Type> types{{.format = "+l", .children = {{.format = "i"}}, .name = "tags"}};
  try {
    const TopK refused(support::make_schema(types), {}, 1, {{.column = 0}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'tags'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(over(0, {{.column = 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
