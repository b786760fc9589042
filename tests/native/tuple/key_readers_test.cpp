#include "penstock/tuple/key_readers.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/tuple/key_columns.hpp"

#include "support/arrow_values.hpp"
#include "support/random_values.hpp"

namespace penstock {
namespace {

using support::as;
using support::null_value;
using support::RandomValues;
using support::Type;
using support::Value;
using support::Values;
using tuple::KeyColumns;

// The rules of key_columns.hpp once more, one value at a time: the one form that equal keys share.
Value canonical(const Type& type, const Value& value) {
  if (value.null) return null_value();
  if (!type.dictionary.empty()) return canonical(type.dictionary[0], value);
  double number = 0;
  if (type.format == "f") number = as<float>(value);
  if (type.format == "g") number = as<double>(value);
  if (type.format == "e") {
    const auto bits = as<std::uint16_t>(value);
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    number = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
             : exponent == 0 ? fraction * std::pow(2.0, -24)
                             : (1 + fraction / 1024.0) * std::pow(2.0, exponent - 15);
    if (bits >= 0x8000) number = -number;
  }
  if (type.format != "e" && type.format != "f" && type.format != "g") return value;
  if (std::isnan(number)) return support::text("nan");
  return support::number(number == 0 ? 0.0 : number);
}

std::uint64_t naive_hash(const Type& type, const Value& value) {
  const Value key = canonical(type, value);
  if (key.null) return 0x243F6A8885A308D3U;
  if (!type.dictionary.empty()) return naive_hash(type.dictionary[0], value);
  const bool is_float = type.format == "e" || type.format == "f" || type.format == "g";
  if (key.bytes == "nan" && is_float) return base::hash64(0x7FF8000000000000U);
  const bool bytes = support::width_of(type) == 0 || type.format[0] == 'w' ||
                     type.format == "tiD" || type.format == "tin";
  if (bytes && type.format != "b") return base::hash64(key.bytes.data(), key.bytes.size());
  const bool is_unsigned = std::string("bCSIL").find(type.format[0]) != std::string::npos;
  const char fill = !is_unsigned && key.bytes.back() < 0 ? '\xFF' : '\0';
  // The shortest of 8, 16 and 32 bytes that keeps the value.
  std::string wide = key.bytes;
  wide.resize(32, fill);
  std::size_t size = 32;
  while (size > 8) {
    std::string shorter = wide.substr(0, size / 2);
    const char sign = shorter.back() < 0 ? '\xFF' : '\0';
    if (key.bytes.size() > 8 && shorter + std::string(size / 2, sign) != wide.substr(0, size))
      break;
    size /= 2;
  }
  if (size == 8) return base::hash64(as<std::uint64_t>({.bytes = wide.substr(0, 8)}));
  return base::hash64(wide.data(), size);
}

struct Table {
  std::vector<Type> types;
  std::vector<Values> columns;
  tuple::Batch batch;
  std::vector<int> positions;
};

Table random_table(RandomValues& random, std::int64_t most_columns) {
  const auto all = support::flat_types();
  Table made;
  const std::int64_t rows = 2 + random.below(60);
  for (std::int64_t left = 1 + random.below(most_columns); left > 0; --left) {
    made.types.push_back(all[static_cast<std::size_t>(random.below(std::ssize(all)))]);
    made.columns.push_back(random.values(made.types.back(), rows));
    made.positions.push_back(static_cast<int>(made.positions.size()));
  }
  const std::int64_t first = random.below(rows - 1);
  const auto whole = support::make_batch(made.types, made.columns, random.below(12));
  made.batch = whole.slice(first, rows - first);
  for (Values& column : made.columns) column.erase(column.begin(), column.begin() + first);
  return made;
}

TEST(KeyReaders, hashes_are_those_of_the_rules_whatever_the_types) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomValues random(seed);
    const Table table = random_table(random, 3);
    std::vector<std::uint64_t> hashes;
    KeyColumns(support::make_schema(table.types), table.positions).hash(table.batch, hashes);
    ASSERT_EQ(std::ssize(hashes), table.batch.rows());
    for (std::size_t row = 0; row < hashes.size(); ++row) {
      std::uint64_t expected = naive_hash(table.types[0], table.columns[0][row]);
      for (std::size_t column = 1; column < table.types.size(); ++column) {
        expected =
            base::combine(expected, naive_hash(table.types[column], table.columns[column][row]));
      }
      ASSERT_EQ(hashes[row], expected) << table.types[0].format << " row " << row;
    }
  }
}

TEST(KeyReaders, exact_keys_are_equal_if_and_only_if_the_values_are) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomValues random(seed);
    const Table table = random_table(random, 3);
    const KeyColumns key(support::make_schema(table.types), table.positions);
    std::vector<std::string_view> bytes;
    tuple::KeyArena arena;
    std::vector<std::uint64_t> read;
    std::span<const std::uint64_t> words;
    std::vector<std::uint8_t> nulls;
    if (key.is_word()) {
      words = key.words(table.batch, read, nulls);
    } else {
      key.bytes(table.batch, bytes, arena);
    }
    if (nulls.empty()) nulls.resize(words.size());
    const auto same_key = [&](std::size_t one, std::size_t other) {
      if (key.is_word()) return words[one] == words[other] && nulls[one] == nulls[other];
      const bool same_null = (bytes[one].data() == nullptr) == (bytes[other].data() == nullptr);
      return same_null && bytes[one] == bytes[other];
    };
    const auto same_values = [&](std::size_t one, std::size_t other) {
      for (std::size_t column = 0; column < table.types.size(); ++column) {
        const Values& values = table.columns[column];
        const Type& type = table.types[column];
        if (canonical(type, values[one]) != canonical(type, values[other])) return false;
      }
      return true;
    };
    for (std::size_t one = 0; one < table.columns[0].size(); ++one) {
      for (std::size_t other = 0; other < one; ++other) {
        ASSERT_EQ(same_key(one, other), same_values(one, other))
            << table.types[0].format << " rows " << other << " and " << one;
      }
    }
  }
}

}  // namespace
}  // namespace penstock
