#include "penstock/tuple/sort_key.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "penstock/tuple/field.hpp"

#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::number;
using support::text;
using support::Values;

// The values must ascend.
void expect_ascending(const std::string& format, const Values& values) {
  const std::vector<support::Type> types{{.format = format}};
  const auto batch = support::make_batch(types, {values});
  const auto field = tuple::read_fields(support::make_schema(types))[0];
  std::vector<std::string> keys(values.size());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    tuple::append_sort_key(field, batch.column(0), static_cast<std::int64_t>(row), keys[row]);
  }
  for (std::size_t row = 1; row < keys.size(); ++row) {
    EXPECT_LT(keys[row - 1], keys[row]) << format << " at row " << row;
  }
}

TEST(SortKey, compares_as_the_values_do) {
  using Long = std::numeric_limits<std::int64_t>;
  using Double = std::numeric_limits<double>;
  using Float = std::numeric_limits<float>;
  expect_ascending("l", {support::null_value(), number(Long::min()), number<std::int64_t>(-256),
                         number<std::int64_t>(-1), number<std::int64_t>(0), number<std::int64_t>(1),
                         number<std::int64_t>(256), number(Long::max())});
  expect_ascending("S", {number<std::uint16_t>(0), number<std::uint16_t>(255),
                         number<std::uint16_t>(256), number<std::uint16_t>(65535)});
  expect_ascending("g", {number(-Double::infinity()), number(-2.0), number(-1.5), number(0.0),
                         number(Double::denorm_min()), number(1.0), number(Double::infinity()),
                         number(-Double::quiet_NaN())});
  expect_ascending(
      "f", {support::null_value(), number(-1.0F), number(1.0F), number(Float::quiet_NaN())});
  expect_ascending("e", {number<std::uint16_t>(0xBC00), number<std::uint16_t>(0x3C00),
                         number<std::uint16_t>(0x7C00), number<std::uint16_t>(0x7E00)});
  expect_ascending("b", {support::null_value(), text(std::string(1, '\0')), text("\1")});
  expect_ascending("u", {support::null_value(), text(""), text(std::string(1, '\0')),
                         text(std::string("\0a", 2)), text("a"), text(std::string("a\0", 2)),
                         text("aa"), text("b")});
  expect_ascending("w:2", {text("aa"), text("ab"), text("ba")});
}

TEST(SortKey, takes_both_zeros_for_the_same) {
  const std::vector<support::Type> types{{.format = "g"}};
  const auto batch = support::make_batch(types, {{number(0.0), number(-0.0)}});
  const auto field = tuple::read_fields(support::make_schema(types))[0];
  std::vector<std::string> keys(2);
  for (std::int64_t row = 0; row < 2; ++row) {
    tuple::append_sort_key(field, batch.column(0), row, keys[static_cast<std::size_t>(row)]);
  }
  EXPECT_EQ(keys[0], keys[1]);
}

TEST(SortKey, compares_decimals_as_numbers) {
  const auto decimal = [](std::int64_t low, std::int64_t high) {
    return text(number(low).bytes + number(high).bytes);
  };
  expect_ascending("d:38,2",
                   {decimal(5, -1), decimal(-1, -1), decimal(0, 0), decimal(7, 0), decimal(0, 1)});
}

TEST(SortKey, compares_the_first_column_first) {
  const std::vector<support::Type> types{{.format = "u"}, {.format = "u"}};
  const auto batch = support::make_batch(types, {{text("a"), text("ab")}, {text("z"), text("a")}});
  const auto fields = tuple::read_fields(support::make_schema(types));
  std::vector<std::string> keys(2);
  for (std::size_t row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      tuple::append_sort_key(fields[static_cast<std::size_t>(column)], batch.column(column),
                             static_cast<std::int64_t>(row), keys[row]);
    }
  }
  EXPECT_LT(keys[0], keys[1]);
}

}  // namespace
}  // namespace penstock
