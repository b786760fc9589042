#include "penstock/tuple/null_column.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/own_array.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::Type;

TEST(NullColumn, of_any_type_is_null_in_every_row_and_can_be_gathered) {
  const Type text{.format = "u"};
  const std::vector<Type> types{
      {.format = "n"},
      {.format = "b"},
      {.format = "l"},
      {.format = "d:20,2"},
      text,
      {.format = "U"},
      {.format = "vu"},
      {.format = "+l", .children = {text}},
      {.format = "+L", .children = {{.format = "+l", .children = {text}}}},
      {.format = "+w:2", .children = {text}},
      {.format = "+s", .children = {text, {.format = "b"}}},
      {.format = "c", .dictionary = {text}},
  };
  for (const Type& type : types) {
    const auto schema = support::make_schema({type});
    tuple::OwnArray root(3);
    root.skip_buffer();
    root.add_child(tuple::null_column(tuple::read_fields(schema)[0], 3));
    const tuple::Batch batch = std::move(root).finish_batch();
    const support::Values nulls(2, support::null_value());
    EXPECT_EQ(support::read_batch({type}, batch.slice(1, 2))[0], nulls) << type.format;
    const std::vector<std::int32_t> rows{2, 0};
    EXPECT_EQ(support::read_batch({type}, tuple::take(schema, batch, rows))[0], nulls)
        << type.format;
  }
}

}  // namespace
}  // namespace penstock
