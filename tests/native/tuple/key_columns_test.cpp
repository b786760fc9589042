#include "penstock/tuple/key_columns.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/hash.hpp"

#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using support::make_batch;
using support::make_schema;
using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Value;
using support::Values;
using tuple::Batch;
using tuple::KeyColumns;
using tuple::kNullHash;
using Hashes = std::vector<std::uint64_t>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Hashes composite_hashes(const std::vector<Type>& types, const std::vector<Values>& columns) {
  std::vector<int> positions;
  for (int at = 0; at < std::ssize(types); ++at) positions.push_back(at);
  Hashes out;
  KeyColumns(make_schema(types), positions).hash(make_batch(types, columns, 3), out);
  return out;
}

Hashes hashes_of(const Type& type, const Values& values) {
  return composite_hashes({type}, {values});
}

std::uint64_t hash_of(const Type& type, const Value& value) { return hashes_of(type, {value})[0]; }

std::uint64_t murmur(std::string_view bytes) { return base::hash64(bytes.data(), bytes.size()); }

// Golden vectors. They may never change: saved states are found by these numbers.
TEST(KeyColumns, keys_hash_as_they_always_did) {
  EXPECT_EQ(hash_of({.format = "l"}, number(std::int64_t{-1})), 0xE4D971771B652C20U);
  EXPECT_EQ(hash_of({.format = "u"}, text("The quick brown fox jumps over the lazy dog")),
            0xE34BBC7BBC071B6CU);
  EXPECT_EQ(hash_of({.format = "b"}, text("\1")), 0x910A2DEC89025CC1U);
  EXPECT_EQ(hash_of({.format = "g"}, number(1.5)), base::hash64(0x3FF8000000000000U));
  EXPECT_EQ(hash_of({.format = "l"}, null_value()), 0x243F6A8885A308D3U);
  EXPECT_EQ(composite_hashes({{.format = "l"}, {.format = "l"}},
                             {{number(std::int64_t{0})}, {number(std::int64_t{1})}})[0],
            base::combine(0xE220A8397B1DCDAFU, 0x910A2DEC89025CC1U));
}

TEST(KeyColumns, a_wider_type_of_the_same_kind_moves_no_key) {
  const auto minus_two = hash_of({.format = "l"}, number(std::int64_t{-2}));
  EXPECT_EQ(hash_of({.format = "c"}, number(std::int8_t{-2})), minus_two);
  EXPECT_EQ(hash_of({.format = "s"}, number(std::int16_t{-2})), minus_two);
  EXPECT_EQ(hash_of({.format = "i"}, number(std::int32_t{-2})), minus_two);
  EXPECT_EQ(hash_of({.format = "tdD"}, number(std::int32_t{-2})), minus_two);
  EXPECT_EQ(hash_of({.format = "tsu:UTC"}, number(std::int64_t{-2})), minus_two);
  EXPECT_EQ(hash_of({.format = "C"}, number(std::uint8_t{200})),
            hash_of({.format = "L"}, number(std::uint64_t{200})));
  EXPECT_EQ(hash_of({.format = "f"}, number(1.5F)), hash_of({.format = "g"}, number(1.5)));
  EXPECT_EQ(hash_of({.format = "e"}, number(std::uint16_t{0x3E00})),
            hash_of({.format = "g"}, number(1.5)));
  EXPECT_EQ(hash_of({.format = "u"}, text("key")), hash_of({.format = "U"}, text("key")));
}

TEST(KeyColumns, half_floats_have_the_values_of_the_standard) {
  const auto half = [](std::uint16_t bits) { return hash_of({.format = "e"}, number(bits)); };
  const auto whole = [](double value) { return hash_of({.format = "g"}, number(value)); };
  EXPECT_EQ(half(0x0001), whole(std::ldexp(1, -24)));
  EXPECT_EQ(half(0x0400), whole(std::ldexp(1, -14)));
  EXPECT_EQ(half(0xFBFF), whole(-65504));
  EXPECT_EQ(half(0xFC00), whole(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(half(0x7E01), whole(kNaN));
  EXPECT_EQ(half(0x8000), whole(0));
}

TEST(KeyColumns, decimals_hash_by_their_unscaled_value) {
  const auto wide = [](std::int64_t low, std::int64_t high) {
    return text(number(low).bytes + number(high).bytes);
  };
  const Type decimal{.format = "d:38,10"};
  EXPECT_EQ(hash_of(decimal, wide(-7, -1)), hash_of({.format = "l"}, number(std::int64_t{-7})));
  EXPECT_EQ(hash_of({.format = "d:9,2,32"}, number(std::int32_t{-7})),
            hash_of(decimal, wide(-7, -1)));
  EXPECT_EQ(hash_of(decimal, wide(-7, 0)), murmur(wide(-7, 0).bytes)) << "more than 64 bits";
  EXPECT_EQ(hash_of({.format = "d:76,0,256"}, text(wide(3, -9).bytes + wide(-1, -1).bytes)),
            hash_of(decimal, wide(3, -9)));
}

TEST(KeyColumns, all_nan_are_one_key_and_zero_has_no_sign) {
  const double other_nan = -std::nan("77");
  const auto doubles = hashes_of(
      {.format = "g"}, {number(kNaN), number(other_nan), number(0.0), number(-0.0), number(1.0)});
  EXPECT_EQ(doubles[0], doubles[1]);
  EXPECT_EQ(doubles[2], doubles[3]);
  EXPECT_NE(doubles[0], doubles[2]);
  EXPECT_EQ(hash_of({.format = "f"}, number(-0.0F)), doubles[2]);
  EXPECT_EQ(hash_of({.format = "f"}, number(std::nanf("1"))), doubles[0]);
}

TEST(KeyColumns, null_is_a_key_of_its_own_whatever_the_type) {
  EXPECT_EQ(hash_of({.format = "u"}, null_value()), kNullHash);
  EXPECT_EQ(hash_of({.format = "n"}, null_value()), kNullHash);
  EXPECT_EQ(hash_of({.format = "c", .dictionary = {{.format = "u"}}}, null_value()), kNullHash);
  EXPECT_NE(hash_of({.format = "u"}, text("")), kNullHash);
  EXPECT_NE(hash_of({.format = "l"}, number(std::int64_t{0})), kNullHash);
}

TEST(KeyColumns, where_one_part_ends_and_the_next_begins_matters) {
  const std::vector<Type> two{{.format = "u"}, {.format = "u"}};
  const auto hashes =
      composite_hashes(two, {{text("a"), text("ab"), text("c"), null_value(), text("a")},
                             {text("bc"), text("c"), text("ab"), text("a"), null_value()}});
  for (std::size_t one = 0; one < hashes.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) EXPECT_NE(hashes[one], hashes[other]);
  }
}

TEST(KeyColumns, a_dictionary_hashes_as_its_values) {
  const Type coded{.format = "s", .dictionary = {{.format = "u"}}};
  const Values many{text("x"), text("y"), null_value(), text("x"), text("x")};
  EXPECT_EQ(hashes_of(coded, many), hashes_of({.format = "u"}, many));
  const Batch batch = make_batch({coded}, {many});
  Hashes one;
  KeyColumns(make_schema({coded}), {0}).hash(batch.slice(1, 1), one);
  EXPECT_EQ(one, (Hashes{murmur("y")})) << "fewer rows than entries";
}

TEST(KeyColumns, only_the_chosen_columns_count) {
  const std::vector<Type> types{
      {.format = "l"}, {.format = "u"}, {.format = "+l", .children = {{.format = "l"}}}};
  const Batch batch = make_batch(
      types, {{number(1L), number(2L)}, {text("a"), text("a")}, {null_value(), null_value()}});
  Hashes out;
  KeyColumns(make_schema(types), {1}).hash(batch, out);
  EXPECT_EQ(out, (Hashes{murmur("a"), murmur("a")}));
  KeyColumns(make_schema(types), {1, 0}).hash(batch.slice(1, 1), out);
  EXPECT_EQ(out, (Hashes{base::combine(murmur("a"), base::hash64(2))}));
}

TEST(KeyColumns, words_are_exact_keys_of_one_column_of_numbers) {
  const std::vector<Type> types{{.format = "f"}};
  const KeyColumns key(make_schema(types), {0});
  ASSERT_TRUE(key.is_word());
  Hashes read;
  std::vector<std::uint8_t> nulls{1, 2, 3, 4, 5, 6};
  const auto words_of = [&](const Batch& rows) {
    const auto words = key.words(rows, read, nulls);
    return Hashes(words.begin(), words.end());
  };
  const Batch batch =
      make_batch(types, {{number(-0.0F), number(0.0F), number(2.5F), null_value()}});
  EXPECT_EQ(words_of(batch), (Hashes{0, 0, 0x4004000000000000U, 0}));
  EXPECT_EQ(nulls, (std::vector<std::uint8_t>{0, 0, 0, 1}));
  EXPECT_EQ(words_of(batch.slice(1, 2)), (Hashes{0, 0x4004000000000000U}));
  EXPECT_TRUE(nulls.empty());
}

TEST(KeyColumns, words_that_lie_in_the_batch_are_not_copied) {
  const std::vector<Type> types{{.format = "l"}};
  const KeyColumns key(make_schema(types), {0});
  Hashes read;
  std::vector<std::uint8_t> nulls;
  const auto value = [](std::int64_t whole) { return number(whole); };
  const Batch whole = make_batch(types, {{value(7), value(-1), value(9)}});
  const auto lying = key.words(whole.slice(1, 2), read, nulls);
  EXPECT_EQ(Hashes(lying.begin(), lying.end()), (Hashes{~std::uint64_t{0}, 9}));
  EXPECT_TRUE(read.empty());
  const Batch with_null = make_batch(types, {{value(7), null_value()}});
  const auto copied = key.words(with_null, read, nulls);
  EXPECT_EQ(Hashes(copied.begin(), copied.end()), (Hashes{7, 0}));
  EXPECT_EQ(nulls, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(copied.data(), read.data());
}

TEST(KeyColumns, the_bytes_of_one_text_column_are_not_copied) {
  const std::vector<Type> types{{.format = "u"}};
  const KeyColumns key(make_schema(types), {0});
  ASSERT_FALSE(key.is_word());
  const Batch batch = make_batch(types, {{text("ab"), text(""), null_value()}});
  std::vector<std::string_view> keys;
  tuple::KeyArena arena;
  key.bytes(batch, keys, arena);
  ASSERT_EQ(keys.size(), 3U);
  EXPECT_EQ(static_cast<const void*>(keys[0].data()), batch.column(0).array->buffers[2]);
  EXPECT_EQ(keys[0], "ab");
  EXPECT_EQ(keys[1], "");
  EXPECT_NE(keys[1].data(), nullptr) << "empty is not null";
  EXPECT_EQ(keys[2].data(), nullptr);
}

TEST(KeyColumns, the_bytes_of_long_texts_in_composite_keys_keep_their_length) {
  const std::vector<Type> types{{.format = "u"}, {.format = "u"}};
  const KeyColumns key(make_schema(types), {0, 1});
  std::vector<std::string_view> keys;
  tuple::KeyArena arena;
  for (const std::size_t size : {252U, 253U, 254U, 255U, 256U, 70000U}) {
    const std::string longer(size, 'x');
    key.bytes(make_batch(types, {{text(longer), text(longer + "x")}, {text("xy"), text("y")}}),
              keys, arena);
    EXPECT_NE(keys[0], keys[1]) << size;
    EXPECT_EQ(keys[0].size(), (size < 254 ? 1 : 9) + size + 1 + 2) << "length and bytes, twice";
    EXPECT_EQ(keys[0].substr(keys[0].size() - 2), "xy") << size;
  }
}

void expect_refused(const Type& type, const std::string& words) {
  try {
    const KeyColumns key(make_schema({{.format = "l"}, type}), {0, 1});
    FAIL() << type.format << " was taken as a key";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(KeyColumns, says_which_column_cannot_be_a_key) {
  const Type item{.format = "l"};
  expect_refused({.format = "+l", .children = {item}, .name = "tags"}, "'tags' of type list");
  expect_refused({.format = "+L", .children = {item}, .name = "a"}, "'a' of type large list");
  expect_refused({.format = "+w:2", .children = {item}, .name = "a"}, "fixed-size list");
  expect_refused({.format = "+s", .children = {item}, .name = "a"}, "'a' of type struct");
  expect_refused({.format = "+m", .children = {item}, .name = "a"}, "'a' of type map");
  expect_refused({.format = "+ud:0", .children = {item}, .name = "a"}, "'a' of type union");
  const Type list{.format = "+l", .children = {item}};
  expect_refused({.format = "i", .dictionary = {list}, .name = "a"}, "'a' of type dictionary");
  EXPECT_THROW(KeyColumns(make_schema({item}), {1}), std::invalid_argument);
  EXPECT_THROW(KeyColumns(make_schema({item}), {-1}), std::invalid_argument);
  EXPECT_THROW(KeyColumns(make_schema({item}), {}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
