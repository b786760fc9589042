#include "penstock/ops/compiled/frame_columns.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/arrow_values.hpp"
#include "support/random_values.hpp"

namespace penstock {
namespace {

using ops::FrameColumns;
using support::null_value;
using support::text;
using support::Type;
using support::Value;
using support::Values;

const std::vector<std::string> kFormats{"b",   "c",       "s",   "i",   "l",       "f", "g",
                                        "tdD", "tsu:UTC", "tDu", "ttn", "d:38,10", "u", "z"};

// Reads a row as penstock_operator.h says.
Value read(const Type& type, const penstock_column& column, std::int64_t row) {
  const std::int64_t bit = column.bit + row;
  if (column.validity != nullptr && !support::get_bit(column.validity, bit)) return null_value();
  const auto* const bytes = static_cast<const char*>(column.values);
  if (column.offsets != nullptr) {
    const auto from = column.offsets[row];
    return text({bytes + from, static_cast<std::size_t>(column.offsets[row + 1] - from)});
  }
  if (type.format == "b") return text(std::string(1, support::get_bit(bytes, bit) ? '\1' : '\0'));
  const auto width = support::width_of(type);
  return text({bytes + static_cast<std::size_t>(row) * width, width});
}

TEST(FrameColumns, show_the_rows_of_a_slice_of_every_type) {
  support::RandomValues random(7);
  for (const std::string& format : kFormats) {
    const Type type{.format = format};
    const FrameColumns columns(support::make_schema({type}), {0});
    Values values = random.values(type, 40);
    for (const bool nulls : {true, false}) {
      if (!nulls) std::erase_if(values, &Value::null);
      const auto rows = std::ssize(values);
      const auto batch = support::make_batch({type}, {values}, 5).slice(3, rows - 4);
      const auto shown = columns.of(batch);
      EXPECT_EQ(shown[0].validity == nullptr, !nulls) << format;
      for (std::int64_t row = 0; row < batch.rows(); ++row) {
        EXPECT_EQ(read(type, shown[0], row), values[static_cast<std::size_t>(row + 3)]) << format;
      }
    }
  }
}

TEST(FrameColumns, come_in_the_order_asked_for) {
  const std::vector<Type> types{
      {.format = "l"}, {.format = "+l", .children = {{.format = "i"}}}, {.format = "u"}};
  const auto batch = support::make_batch(
      types, {{support::number(std::int64_t{1})}, {support::nested({})}, {text("a")}});
  const FrameColumns columns(support::make_schema(types), {2, 0});
  const auto shown = columns.of(batch);
  ASSERT_EQ(shown.size(), 2);
  EXPECT_EQ(read(types[2], shown[0], 0), text("a"));
  EXPECT_EQ(read(types[0], shown[1], 0), support::number(std::int64_t{1}));
}

TEST(FrameColumns, a_type_that_has_no_room_in_a_frame_is_named) {
  for (const char* format : {"U", "e", "vu", "d:76,10,256", "w:4", "n"}) {
    try {
      const FrameColumns refused(support::make_schema({{.format = format, .name = "odd"}}), {0});
      FAIL() << format;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("'odd'"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace penstock
