#include "penstock/ops/dedup.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::Dedup;
using support::null_value;
using support::text;
using support::Type;
using support::Values;
using support::wholes;

const std::vector<Type> kTypes{{.format = "u", .name = "key"}, {.format = "l", .name = "at"}};

Values kept(Dedup& dedup, const Values& keys, const Values& times) {
  support::KeptColumn output(kTypes, 1);
  dedup.process(support::tuple_of(kTypes, {keys, times}), 0, output);
  return output.values;
}

TEST(Dedup, passes_on_the_first_row_of_each_key_over_all_tuples) {
  Dedup dedup(support::make_schema(kTypes), {.keys = {0}}, {});
  EXPECT_EQ(kept(dedup, {text("a"), null_value(), text("a"), null_value()}, wholes({1, 2, 3, 4})),
            wholes({1, 2}));
  EXPECT_EQ(kept(dedup, {text("b"), text("a"), text("b")}, wholes({5, 6, 7})), wholes({5}));
  EXPECT_EQ(dedup.keys(), 3U);
}

TEST(Dedup, a_row_a_span_behind_the_last_one_kept_is_none) {
  Dedup dedup(support::make_schema(kTypes), {.keys = {0}}, {.on = 1, .span = 10});
  const Values times{support::whole(0), support::whole(9),  support::whole(10), null_value(),
                     support::whole(5), support::whole(19), support::whole(20)};
  EXPECT_EQ(kept(dedup, Values(7, text("a")), times),
            (Values{support::whole(0), support::whole(10), null_value(), support::whole(20)}));
}

TEST(Dedup, times_as_far_apart_as_can_be_do_not_wrap_around) {
  using Limits = std::numeric_limits<std::int64_t>;
  Dedup dedup(support::make_schema(kTypes), {.keys = {0}}, {.on = 1, .span = Limits::max()});
  EXPECT_EQ(kept(dedup, Values(3, text("a")), wholes({Limits::min(), Limits::max(), -1})),
            wholes({Limits::min(), Limits::max()}));
}

TEST(Dedup, what_is_known_of_a_key_moves_with_it) {
  for (const Dedup::Within within : {Dedup::Within{}, Dedup::Within{.on = 1, .span = 10}}) {
    Dedup before(support::make_schema(kTypes), {.keys = {0}}, within);
    Dedup after(support::make_schema(kTypes), {.keys = {0}}, within);
    kept(before, {text("a"), text("b")}, {support::whole(3), null_value()});
    support::move_all(before, after);
    const Values more = kept(after, {text("a"), text("b"), text("a")}, wholes({12, 1, 13}));
    EXPECT_EQ(more, within.on < 0 ? wholes({}) : wholes({1, 13}));
  }
}

TEST(Dedup, a_key_that_left_is_a_new_one_when_it_comes_again) {
  Dedup dedup(support::make_schema(kTypes), {.keys = {0}}, {});
  Values keys;
  for (int i = 0; i < 50; ++i) keys.push_back(text(std::to_string(i)));
  kept(dedup, keys, Values(50, support::whole(1)));
  const auto left = dedup.donate(region::HashRing(2), 0);
  ASSERT_EQ(left.size(), 1U);
  const auto gone = left[0].rows.rows();
  EXPECT_GT(gone, 0);
  EXPECT_EQ(std::ssize(kept(dedup, keys, Values(50, support::whole(2)))), gone);
}

TEST(Dedup, a_time_that_is_none_is_named) {
  try {
    const Dedup refused(support::make_schema(kTypes), {.keys = {1}}, {.on = 0, .span = 1});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'key'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(Dedup(support::make_schema(kTypes), {.keys = {0}}, {.on = 1, .span = 0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace penstock
