#include "penstock/tuple/composer.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "penstock/tuple/own_array.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::null_value;
using support::text;
using support::Values;

const support::Type kText{.format = "u"};
const support::Type kLong{.format = "l"};

Values longs(std::vector<std::int64_t> values) {
  Values made;
  for (const auto value : values) made.push_back(support::number(value));
  return made;
}

ArrowArray long_array(std::vector<std::int64_t> values) {
  tuple::OwnArray made(std::ssize(values));
  made.skip_buffer();
  std::ranges::copy(values, made.add_buffer<std::int64_t>(std::ssize(values)));
  return std::move(made).finish(0);
}

tuple::Batch letters() {
  return support::make_batch(
      {kText, kLong}, {{text("a"), text("b"), null_value(), text("d")}, longs({1, 2, 3, 4})});
}

TEST(Composer, columns_of_a_slice_and_new_ones_outlive_the_slice) {
  const int before = support::live_arrays;
  {
    tuple::Batch slice = letters().slice(1, 2);
    tuple::Composer composer(slice, 3);
    composer.pass_all();
    composer.add(long_array({7, 8}));
    slice = {};
    const tuple::Batch whole = std::move(composer).finish();
    EXPECT_EQ(whole.rows(), 2);
    EXPECT_EQ(support::read_batch({kText, kLong, kLong}, whole),
              (std::vector<Values>{{text("b"), null_value()}, longs({2, 3}), longs({7, 8})}));
  }
  EXPECT_EQ(support::live_arrays, before);
}

TEST(Composer, columns_stand_in_the_order_in_which_they_came) {
  const tuple::Batch batch = letters();
  tuple::Composer composer(batch, 1);
  composer.add(long_array({5, 6, 7, 8}));
  composer.pass(1);
  composer.add(long_array({9, 9, 9, 9}));
  composer.pass(0);
  EXPECT_EQ(support::read_batch({kLong, kLong, kLong, kText}, std::move(composer).finish()),
            (std::vector<Values>{longs({5, 6, 7, 8}),
                                 longs({1, 2, 3, 4}),
                                 longs({9, 9, 9, 9}),
                                 {text("a"), text("b"), null_value(), text("d")}}));
}

TEST(Composer, what_was_composed_can_be_cut_chosen_from_composed_again_and_exported) {
  const int before = support::live_arrays;
  {
    ArrowArray exported{};
    {
      const tuple::Batch batch = letters();
      tuple::Composer first(batch, 3);
      first.pass_all();
      first.add(long_array({5, 6, 7, 8}));
      const tuple::Batch part = std::move(first).finish().slice(1, 3);
      tuple::Composer second(part.select(std::array{2, 0}), 3);
      second.pass_all();
      second.add(long_array({1, 2, 3}));
      std::move(second).finish().slice(1, 2).export_to(exported);
    }
    EXPECT_EQ(support::read_batch({kLong, kText, kLong}, tuple::Batch::adopt(exported)),
              (std::vector<Values>{longs({7, 8}), {null_value(), text("d")}, longs({2, 3})}));
  }
  EXPECT_EQ(support::live_arrays, before);
}

TEST(Composer, what_was_not_finished_frees_itself) {
  const int before = support::live_arrays;
  {
    tuple::Composer composer(letters(), 2);
    composer.pass(0);
    composer.add(support::make_array(kLong, longs({1, 2, 3, 4}), 0));
    EXPECT_GT(support::live_arrays, before);
  }
  EXPECT_EQ(support::live_arrays, before);
}

}  // namespace
}  // namespace penstock
