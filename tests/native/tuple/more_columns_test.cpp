#include "penstock/tuple/more_columns.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::null_value;
using support::text;
using support::Values;

TEST(MoreColumns, a_column_is_added_to_what_a_slice_shows_and_outlives_it) {
  const support::Type type{.format = "u"};
  tuple::Batch slice =
      support::make_batch({type}, {{text("a"), text("b"), null_value(), text("d")}}).slice(1, 2);
  tuple::OwnArray root = tuple::begin_with(slice);
  slice = {};
  tuple::OwnArray more(2);
  more.skip_buffer();
  auto* const values = more.add_buffer<std::int64_t>(2);
  values[0] = 7;
  values[1] = 8;
  root.add_child(std::move(more).finish(0));
  ArrowArray whole = std::move(root).finish(0);
  EXPECT_EQ(
      support::read_batch({type, {.format = "l"}}, tuple::Batch::adopt(whole)),
      (std::vector<Values>{{text("b"), null_value()},
                           {support::number(std::int64_t{7}), support::number(std::int64_t{8})}}));
}

}  // namespace
}  // namespace penstock
