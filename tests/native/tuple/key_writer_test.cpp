#include "penstock/tuple/key_writer.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "penstock/tuple/key_columns.hpp"

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Values;

// What the keys of such columns are written as.
std::vector<Values> written(const std::vector<Type>& types, const std::vector<Values>& columns,
                            const std::vector<Type>& made) {
  const auto schema = support::make_schema(types);
  const auto batch = support::make_batch(types, columns, 3);
  std::vector<int> positions(types.size());
  std::iota(positions.begin(), positions.end(), 0);
  const tuple::KeyColumns keys(schema, positions);
  const tuple::KeyWriter writer(schema, positions);
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(writer.fields().at(i).format, made[i].format);
    EXPECT_EQ(writer.fields().at(i).name, types[i].name);
  }
  tuple::OwnArray root(batch.rows());
  root.skip_buffer();
  std::vector<std::uint64_t> read;
  std::vector<std::uint8_t> nulls;
  std::vector<std::string_view> bytes;
  tuple::KeyArena arena;
  if (keys.is_word()) {
    const auto words = keys.words(batch, read, nulls);
    writer.write(words, nulls, root);
  } else {
    keys.bytes(batch, bytes, arena);
    writer.write(bytes, root);
  }
  ArrowArray whole = std::move(root).finish(0);
  const auto back = tuple::Batch::adopt(whole);
  std::vector<std::uint64_t> before;
  std::vector<std::uint64_t> after;
  keys.hash(batch, before);
  tuple::KeyColumns(support::make_schema(made), positions).hash(back, after);
  EXPECT_EQ(before, after) << "a key belongs to the same channel";
  return support::read_batch(made, back);
}

void expect_same(const Type& type, const Values& values) {
  EXPECT_EQ(written({type}, {values}, {type}), std::vector<Values>{values}) << type.format;
  // The same as one part of a composite key, where it is written as bytes.
  const Type other{.format = "u", .name = "other"};
  const Values others(values.size(), text("x"));
  EXPECT_EQ(written({type, other}, {values, others}, {type, other}),
            (std::vector<Values>{values, others}))
      << type.format;
}

TEST(KeyWriter, writes_numbers_of_every_width_and_sign) {
  expect_same({.format = "c"}, {number(std::int8_t{-128}), null_value(), number(std::int8_t{127})});
  expect_same({.format = "C"}, {number(std::uint8_t{255}), number(std::uint8_t{0})});
  expect_same({.format = "s"}, {number(std::int16_t{-2}), null_value()});
  expect_same({.format = "S"}, {number(std::uint16_t{65535})});
  expect_same({.format = "i"}, {number(std::int32_t{-3}), number(std::int32_t{1} << 30)});
  expect_same({.format = "I"}, {number(std::uint32_t{0xFFFFFFFF}), null_value()});
  expect_same({.format = "l"}, {number(std::numeric_limits<std::int64_t>::min()), null_value(),
                                number(std::int64_t{0})});
  expect_same({.format = "L"}, {number(std::numeric_limits<std::uint64_t>::max())});
  expect_same({.format = "tdD"}, {number(std::int32_t{-719162}), null_value()});
  expect_same({.format = "tsu:UTC"}, {number(std::int64_t{-1})});
  expect_same({.format = "d:9,2,32"}, {number(std::int32_t{-5}), null_value()});
  expect_same({.format = "d:18,2,64"}, {number(std::int64_t{-5})});
}

TEST(KeyWriter, writes_booleans_and_nulls_without_values) {
  Values bools;
  for (int i = 0; i < 11; ++i)
    bools.push_back(i % 3 == 2 ? null_value() : text(std::string(1, static_cast<char>(i % 3))));
  expect_same({.format = "b"}, bools);
  expect_same({.format = "n"}, Values(3, null_value()));
}

TEST(KeyWriter, all_nan_become_one_and_no_zero_is_negative) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_same({.format = "g"}, {number(-0x1.8p-1074), number(HUGE_VAL), null_value(), number(nan)});
  expect_same({.format = "f"}, {number(-0x1p-149F), number(3.4e38F), number(HUGE_VALF)});
  EXPECT_EQ(written({{.format = "g"}}, {{number(-nan), number(-0.0)}}, {{.format = "g"}}),
            (std::vector<Values>{Values{number(nan), number(0.0)}}));
  EXPECT_EQ(written({{.format = "f"}}, {{number(-0.0F)}}, {{.format = "f"}}),
            (std::vector<Values>{Values{number(0.0F)}}));
}

TEST(KeyWriter, writes_every_half_float) {
  Values halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool is_nan = (bits & 0x7C00U) == 0x7C00U && (bits & 0x3FFU) != 0;
    if (is_nan || bits == 0x8000) continue;
    halves.push_back(number(static_cast<std::uint16_t>(bits)));
  }
  const Type type{.format = "e"};
  EXPECT_EQ(written({type}, {halves}, {type}), std::vector<Values>{halves});
}

TEST(KeyWriter, decimals_get_their_sign_back) {
  for (const std::size_t width : {16U, 32U}) {
    Values values{null_value()};
    for (const char sign : {'\0', '\xFF'}) {
      values.push_back(text(std::string(width, sign)));
      values.push_back(text("12345678" + std::string(width - 8, sign)));
      values.push_back(text("1234567\x80" + std::string(width - 8, sign)));
      values.push_back(text("123456789abcdef" + std::string(width - 15, sign)));
    }
    expect_same({.format = width == 16 ? "d:38,10" : "d:76,10,256"}, values);
  }
}

TEST(KeyWriter, writes_bytes_of_any_length) {
  const Values texts{text(""),
                     null_value(),
                     text("a"),
                     text(std::string(253, 'b')),
                     text(std::string(254, 'c')),
                     text(std::string(5000, 'd'))};
  for (const char* format : {"u", "z", "U", "Z"}) expect_same({.format = format}, texts);
  expect_same({.format = "w:3"}, {text("abc"), null_value(), text(std::string(3, '\0'))});
  expect_same({.format = "w:0"}, {text(""), null_value()});
  expect_same({.format = "tin"}, {text("0123456789abcdef"), null_value()});
}

TEST(KeyWriter, views_become_large_and_dictionaries_become_their_values) {
  const Values texts{text("short"), null_value(), text("longer than twelve bytes"), text("")};
  EXPECT_EQ(written({{.format = "vu"}}, {texts}, {{.format = "U"}}), std::vector<Values>{texts});
  EXPECT_EQ(written({{.format = "vz"}}, {texts}, {{.format = "Z"}}), std::vector<Values>{texts});
  const Type type{.format = "i", .dictionary = {{.format = "u"}}, .name = "coded"};
  EXPECT_EQ(written({type}, {texts}, {{.format = "u"}}), std::vector<Values>{texts});
  const Type whole{.format = "c", .dictionary = {{.format = "s"}}, .name = "coded"};
  const Values numbers{number(std::int16_t{-7}), null_value(), number(std::int16_t{300})};
  EXPECT_EQ(written({whole}, {numbers}, {{.format = "s"}}), std::vector<Values>{numbers});
}

TEST(KeyWriter, keys_of_several_columns_come_apart_where_they_were_put_together) {
  const Type word{.format = "l", .name = "a"};
  const Type nothing{.format = "n", .name = "b"};
  const Type coded{.format = "i", .dictionary = {{.format = "u"}}, .name = "c"};
  const Type plain{.format = "u", .name = "c"};
  const std::vector<Values> columns{
      {number(std::int64_t{1}), null_value(), number(std::int64_t{0})},
      Values(3, null_value()),
      {null_value(), text(""), text("bc")}};
  EXPECT_EQ(written({word, nothing, coded}, columns, {word, nothing, plain}), columns);
  EXPECT_EQ(written({coded, word}, {columns[2], columns[0]}, {plain, word}),
            (std::vector<Values>{columns[2], columns[0]}));
}

}  // namespace
}  // namespace penstock
