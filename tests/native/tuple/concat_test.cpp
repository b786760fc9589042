#include "penstock/tuple/concat.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "support/arrow_reading.hpp"
#include "support/arrow_values.hpp"
#include "support/random_values.hpp"

namespace penstock {
namespace {

using support::Type;
using support::Values;
using tuple::Concatenator;

std::vector<Type> plain_types() {
  std::vector<Type> types;
  for (const Type& type : support::flat_types()) {
    if (Concatenator(support::make_schema({type})).can_join()) types.push_back(type);
  }
  return types;
}

std::vector<Values> random_columns(const std::vector<Type>& types, std::int64_t rows,
                                   support::RandomValues& random) {
  std::vector<Values> columns;
  for (const Type& type : types) columns.push_back(random.values(type, rows));
  return columns;
}

TEST(Concatenator, puts_batches_one_behind_the_other) {
  const auto types = plain_types();
  ASSERT_GT(types.size(), 20U);
  const Concatenator concatenator(support::make_schema(types));
  for (unsigned seed = 0; seed < 20; ++seed) {
    support::RandomValues random(seed);
    std::vector<tuple::Batch> batches;
    std::vector<Values> expected(types.size());
    for (int i = 0; i < 4; ++i) {
      const auto columns = random_columns(types, 20, random);
      const auto first = random.below(10);
      const auto rows = random.below(11);
      batches.push_back(support::make_batch(types, columns).slice(first, rows));
      for (std::size_t c = 0; c < types.size(); ++c) {
        const auto begin = columns[c].begin() + first;
        expected[c].insert(expected[c].end(), begin, begin + rows);
      }
    }
    EXPECT_EQ(support::read_batch(types, concatenator.join(batches)), expected) << "seed " << seed;
  }
}

TEST(Concatenator, makes_one_array_again_of_what_was_cut_without_a_copy) {
  const auto types = plain_types();
  support::RandomValues random(3);
  const auto columns = random_columns(types, 40, random);
  const auto whole = support::make_batch(types, columns);
  const std::vector<tuple::Batch> cut{whole.slice(0, 7), whole.slice(7, 0), whole.slice(7, 20)};
  const auto joined = Concatenator(support::make_schema(types)).join(cut);
  for (int c = 0; c < joined.columns(); ++c) {
    EXPECT_EQ(joined.column(c).array->buffers, whole.column(c).array->buffers);
  }
  auto expected = columns;
  for (auto& column : expected) column.resize(27);
  EXPECT_EQ(support::read_batch(types, joined), expected);
}

TEST(Concatenator, does_not_take_slices_in_another_order_for_one) {
  const std::vector<Type> types{{.format = "l"}};
  const Values numbers{support::number<std::int64_t>(1), support::number<std::int64_t>(2),
                       support::number<std::int64_t>(3)};
  const auto whole = support::make_batch(types, {numbers});
  const auto joined = Concatenator(support::make_schema(types))
                          .join(std::vector<tuple::Batch>{whole.slice(2, 1), whole.slice(0, 2)});
  EXPECT_EQ(support::read_batch(types, joined),
            (std::vector<Values>{{numbers[2], numbers[0], numbers[1]}}));
}

TEST(Concatenator, leaves_nested_columns_views_and_dictionaries_alone) {
  for (const Type& type : support::nested_types()) {
    EXPECT_FALSE(Concatenator(support::make_schema({type})).can_join()) << type.name;
  }
  for (const Type& type : support::flat_types()) {
    const bool view = type.format.starts_with("v");
    EXPECT_EQ(Concatenator(support::make_schema({type})).can_join(),
              type.dictionary.empty() && !view)
        << type.name;
  }
}

}  // namespace
}  // namespace penstock
