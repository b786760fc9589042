#include "penstock/ops/keyed_part.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ops/channels.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::RunningAggregate;
using support::Channels;
using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Value;
using support::Values;

// One of `distinct` values of a type, or null.
Value value_of(const Type& type, std::uint64_t drawn, std::uint64_t distinct) {
  const std::uint64_t which = drawn % distinct;
  if (which == 0 || type.format == "n") return null_value();
  if (!type.dictionary.empty()) return value_of(type.dictionary[0], which, distinct);
  if (type.format == "b") return text(std::string(1, static_cast<char>(which % 2)));
  if (type.format == "g") return number(static_cast<double>(which) - 3.25);
  if (type.format == "f") return number(static_cast<float>(which) - 3.25F);
  std::string bytes = number(which * 0x9E3779B97F4A7C15U).bytes;
  if (const auto width = support::width_of(type); width != 0) {
    bytes.resize(width, static_cast<char>(which % 2 == 0 ? 0 : 0xFF));
  } else {
    bytes += std::string(which % 20, 'x');
  }
  return text(bytes);
}

const std::vector<Type> kValueTypes{
    {.format = "i", .name = "whole"},      {.format = "g", .name = "real"},
    {.format = "f", .name = "small"},      {.format = "tsu:UTC", .name = "when"},
    {.format = "u", .name = "text"},       {.format = "b", .name = "flag"},
    {.format = "d:20,2", .name = "amount"}};

// Every function of every column of values, and a count of rows.
std::vector<Aggregate> all_aggregates(int first, std::vector<Type>& made) {
  std::vector<Aggregate> aggregates{{.function = Function::kCount, .column = Aggregate::kRows}};
  made.push_back({.format = "l"});
  for (std::size_t i = 0; i < kValueTypes.size(); ++i) {
    const int column = first + static_cast<int>(i);
    const std::string& format = kValueTypes[i].format;
    const auto add = [&](Function function, const Type& type) {
      aggregates.push_back({.function = function, .column = column});
      made.push_back(type);
    };
    const bool real = format == "g" || format == "f";
    add(Function::kCount, {.format = "l"});
    add(Function::kApproxDistinct, {.format = "l"});
    add(Function::kFirst, kValueTypes[i]);
    add(Function::kLast, kValueTypes[i]);
    if (format == "b" || format == "d:20,2") continue;
    add(Function::kMin, kValueTypes[i]);
    add(Function::kMax, kValueTypes[i]);
    if (format == "u") continue;
    if (format != "tsu:UTC") add(Function::kSum, {.format = real ? "g" : "l"});  // would overflow
    add(Function::kMean, {.format = "g"});
    add(Function::kVar, {.format = "g"});
    add(Function::kStddev, {.format = "g"});
  }
  return aggregates;
}

// Random rows through channels that change, and through one aggregate that sees everything.
void expect_nothing_lost(const std::vector<Type>& keys, unsigned seed) {
  std::vector<Type> types = keys;
  types.insert(types.end(), kValueTypes.begin(), kValueTypes.end());
  std::vector<Type> made = types;
  RunningAggregate::Options options;
  options.aggregates = all_aggregates(static_cast<int>(keys.size()), made);
  for (std::size_t i = 0; i < keys.size(); ++i) options.keys.push_back(static_cast<int>(i));
  RunningAggregate all(support::make_schema(types), options);
  Channels channels(types, options, 8);
  std::mt19937_64 random(seed);
  std::uint64_t distinct = 10;
  for (const int width : {2, 3, 8, 1, 8, 2, 5, 4, 1}) {
    std::vector<Values> columns(types.size());
    for (int row = 0; row < 60; ++row) {
      for (std::size_t c = 0; c < types.size(); ++c) {
        const std::uint64_t values = c < keys.size() ? distinct : 50;
        columns[c].push_back(value_of(types[c], random(), values));
      }
    }
    const auto expected =
        support::read_batch(made, support::run(all, support::make_batch(types, columns)));
    EXPECT_EQ(channels.run(columns, made), expected) << keys[0].format << " before " << width;
    const int before = channels.width();
    for (const auto& package : channels.resize(width)) {
      EXPECT_GT(package.rows.rows(), 0);
      EXPECT_TRUE(package.to >= before || package.from >= width)
          << "survivors give each other none";
    }
    EXPECT_EQ(channels.snapshot(),
              support::sorted_rows(support::package_types(all), all.snapshot()));
    distinct += 20;
  }
  EXPECT_EQ(channels.at(0).keys(), all.keys());
  EXPECT_EQ(channels.at(7).keys(), 0U);
}

TEST(KeyedPart, channels_that_change_make_what_one_makes_for_keys_of_every_type) {
  unsigned seed = 1;
  for (const char* format :
       {"n", "b",  "c",  "C",        "s",         "S",       "i",           "I",   "l",   "L",
        "e", "f",  "g",  "d:9,2,32", "d:18,2,64", "d:38,10", "d:76,10,256", "u",   "z",   "U",
        "Z", "vu", "vz", "w:5",      "tdD",       "tsu:UTC", "ttn",         "tiM", "tiD", "tin"}) {
    expect_nothing_lost({{.format = format, .name = "key"}}, seed++);
  }
}

TEST(KeyedPart, channels_that_change_make_what_one_makes_for_dictionaries_and_several_columns) {
  const Type coded{.format = "i", .dictionary = {{.format = "u"}}, .name = "coded"};
  const Type numbers{.format = "C", .dictionary = {{.format = "l"}}, .name = "numbers"};
  const Type real{.format = "g", .name = "real"};
  const Type wide{.format = "d:38,10", .name = "wide"};
  expect_nothing_lost({coded}, 101);
  expect_nothing_lost({numbers}, 102);
  expect_nothing_lost({coded, real}, 103);
  expect_nothing_lost({wide, numbers, {.format = "n", .name = "none"}}, 104);
}

TEST(KeyedPart, a_package_has_the_key_and_then_what_restores_each_aggregate) {
  const Type coded{.format = "s", .dictionary = {{.format = "u"}}, .name = "who"};
  const Type date{.format = "tdD", .name = "day"};
  const Type real{.format = "f", .name = "price"};
  RunningAggregate aggregate(support::make_schema({coded, date, real}),
                             {.keys = {0},
                              .aggregates = {{Function::kCount, Aggregate::kRows},
                                             {Function::kMax, 1},
                                             {Function::kSum, 2},
                                             {Function::kMean, 2},
                                             {Function::kCount, 2}}});
  support::run(aggregate, support::make_batch(
                              {coded, date, real},
                              {{text("a"), null_value(), text("a")},
                               {number(std::int32_t{7}), null_value(), number(std::int32_t{3})},
                               {number(1.5F), null_value(), number(2.0F)}}));
  const auto types = support::package_types(aggregate);
  std::string columns;
  for (const Type& type : types) columns += type.name + " " + type.format + ", ";
  EXPECT_EQ(columns,
            "who u, count(*) l, max(day) tdD, sum(price) g, mean(price).sum g, "
            "mean(price).count l, count(price) l, ");
  const auto rows = support::read_batch(types, aggregate.snapshot());
  const std::size_t a = rows[0][0].null ? 1 : 0;
  const auto row = [&](std::size_t at) {
    Values values;
    for (const Values& column : rows) values.push_back(column[at]);
    return values;
  };
  const auto long_of = [](std::int64_t value) { return number(value); };
  EXPECT_EQ(row(a), (Values{text("a"), long_of(2), number(std::int32_t{7}), number(3.5),
                            number(3.5), long_of(2), long_of(2)}));
  EXPECT_EQ(row(1 - a), (Values{null_value(), long_of(1), null_value(), null_value(), number(0.0),
                                long_of(0), long_of(0)}));
}

TEST(KeyedPart, nan_and_zero_stay_the_keys_they_are) {
  const Type real{.format = "g", .name = "key"};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Channels channels({real}, {.keys = {0}, .aggregates = {{Function::kCount, Aggregate::kRows}}}, 8);
  const Values keys{number(nan), number(-nan), number(0.0), number(-0.0), null_value()};
  const auto counts = [](std::vector<std::int64_t> each) {
    Values values;
    for (const auto count : each) values.push_back(number(count));
    return values;
  };
  const std::vector<Type> made{real, {.format = "l"}};
  EXPECT_EQ(channels.run({keys}, made)[1], counts({1, 2, 1, 2, 1}));
  channels.resize(8);
  EXPECT_EQ(channels.run({keys}, made)[1], counts({3, 4, 3, 4, 2}));
  channels.resize(1);
  EXPECT_EQ(channels.run({keys}, made)[1], counts({5, 6, 5, 6, 3}));
}

TEST(KeyedPart, memory_is_counted_where_the_keys_are) {
  const Type type{.format = "l", .name = "key"};
  const auto make = [&](int parts) {
    return std::make_unique<RunningAggregate>(
        support::make_schema({type}),
        RunningAggregate::Options{.keys = {0},
                                  .aggregates = {{Function::kCount, Aggregate::kRows}},
                                  .parts = parts,
                                  .most_bytes = 80'000});
  };
  const auto giver = make(2);
  const auto taker = make(1);
  const auto rows = [&](std::int64_t first, std::int64_t count) {
    Values keys;
    for (std::int64_t key = first; key < first + count; ++key) keys.push_back(number(key));
    return support::make_batch({type}, {keys});
  };
  support::run(*giver, rows(0, 1000));
  const auto before = giver->bytes();
  EXPECT_GT(before, 0U);
  auto packages = giver->donate(region::HashRing(1), 1);
  ASSERT_EQ(packages.size(), 1U);
  EXPECT_EQ(giver->bytes(), 0U) << "nothing is left";
  EXPECT_EQ(giver->keys(), 0U);
  taker->collect(packages[0].rows);
  EXPECT_GT(taker->bytes(), before / 4);
  EXPECT_LT(taker->bytes(), before * 4);
  // State that is there is not refused, but the next row is.
  support::run(*giver, rows(1000, 1500));
  packages = giver->donate(region::HashRing(1), 1);
  taker->collect(packages[0].rows);
  EXPECT_EQ(taker->keys(), 2500U);
  EXPECT_GT(taker->bytes(), 80'000U);
  EXPECT_THROW(support::run(*taker, rows(0, 1)), std::length_error);
}

}  // namespace
}  // namespace penstock
