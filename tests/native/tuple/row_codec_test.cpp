#include "penstock/tuple/row_codec.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"
#include "support/random_values.hpp"

namespace penstock {
namespace {

using support::Type;
using support::Values;
using tuple::RowCodec;
using tuple::RowEncoder;

std::vector<Type> plain_types() {
  std::vector<Type> types;
  for (Type& type : support::flat_types()) {
    const bool view = type.format.starts_with("v");
    if (type.dictionary.empty() && !view) types.push_back(std::move(type));
  }
  return types;
}

std::vector<std::string> encoded(const RowCodec& codec, const tuple::Batch& batch) {
  const RowEncoder encoder(codec, batch);
  std::vector<std::string> rows(static_cast<std::size_t>(batch.rows()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    encoder.encode(static_cast<std::int64_t>(row), rows[row]);
  }
  return rows;
}

tuple::Batch decoded(const RowCodec& codec, const std::vector<std::string>& rows) {
  return codec.decode(std::vector<std::string_view>(rows.begin(), rows.end()));
}

TEST(RowCodec, brings_back_every_value_of_every_plain_type) {
  const auto types = plain_types();
  support::RandomValues random(7);
  std::vector<Values> columns;
  for (const Type& type : types) columns.push_back(random.values(type, 50));
  const auto batch = support::make_batch(types, columns);
  const RowCodec codec(support::make_schema(types));
  EXPECT_EQ(support::read_batch(types, decoded(codec, encoded(codec, batch))), columns);
}

TEST(RowCodec, reads_the_rows_of_a_slice) {
  const std::vector<Type> types{{.format = "u"}, {.format = "b"}, {.format = "l"}};
  support::RandomValues random(8);
  std::vector<Values> columns;
  for (const Type& type : types) columns.push_back(random.values(type, 20));
  const auto slice = support::make_batch(types, columns).slice(5, 9);
  const RowCodec codec(support::make_schema(types));
  auto expected = columns;
  for (auto& column : expected) column = Values(column.begin() + 5, column.begin() + 14);
  EXPECT_EQ(support::read_batch(types, decoded(codec, encoded(codec, slice))), expected);
}

TEST(RowCodec, makes_a_row_of_two_whose_bytes_follow_each_other) {
  const std::vector<Type> left{{.format = "l"}, {.format = "u"}};
  const std::vector<Type> right{{.format = "b"}};
  const std::vector<Type> both{{.format = "l"}, {.format = "u"}, {.format = "b"}};
  const Values numbers{support::number<std::int64_t>(3)};
  const Values words{support::null_value()};
  const Values flags{support::text(std::string(1, '\1'))};
  auto row =
      encoded(RowCodec(support::make_schema(left)), support::make_batch(left, {numbers, words}))[0];
  row += encoded(RowCodec(support::make_schema(right)), support::make_batch(right, {flags}))[0];
  EXPECT_EQ(support::read_batch(both, decoded(RowCodec(support::make_schema(both)), {row})),
            (std::vector<Values>{numbers, words, flags}));
}

TEST(RowCodec, takes_values_that_no_column_had) {
  const std::vector<Type> types{{.format = "g"}, {.format = "u"}, {.format = "i"}};
  std::string row;
  tuple::encode_value(1.5, row);
  tuple::encode_bytes("word", row);
  tuple::encode_null(row);
  EXPECT_EQ(support::read_batch(types, decoded(RowCodec(support::make_schema(types)), {row})),
            (std::vector<Values>{
                {support::number(1.5)}, {support::text("word")}, {support::null_value()}}));
  tuple::ValueReader reader(row);
  EXPECT_TRUE(reader.has_value());
  EXPECT_EQ(reader.read<double>(), 1.5);
  EXPECT_TRUE(reader.has_value());
  EXPECT_EQ(reader.read_bytes(), "word");
  EXPECT_FALSE(reader.ended());
  EXPECT_FALSE(reader.has_value());
  EXPECT_TRUE(reader.ended());
}

TEST(RowCodec, says_which_column_cannot_be_kept) {
  const Type list{.format = "+l", .children = {{.format = "l"}}, .name = "tags"};
  try {
    const RowCodec codec(support::make_schema({list}));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'tags' of type list"), std::string::npos);
  }
}

}  // namespace
}  // namespace penstock
