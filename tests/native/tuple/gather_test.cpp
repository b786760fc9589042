#include "penstock/tuple/gather.hpp"

#include <algorithm>
#include <cstdint>
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

using support::make_batch;
using support::make_schema;
using support::nested;
using support::null_value;
using support::number;
using support::RandomValues;
using support::read_batch;
using support::text;
using support::Type;
using support::Value;
using support::Values;
using tuple::Batch;
using tuple::RowRef;

std::vector<Type> all_types() {
  auto types = support::flat_types();
  for (const Type& type : support::nested_types()) types.push_back(type);
  return types;
}

// Batches of every type, some cut from longer ones, and their values.
struct Rows {
  std::vector<Batch> batches;
  std::vector<std::vector<Values>> values;
};

void add_batch(Rows& rows, const std::vector<Type>& types, RandomValues& random) {
  const std::int64_t count = 1 + random.below(20);
  std::vector<Values> columns;
  for (const Type& type : types) columns.push_back(random.values(type, count));
  const Batch whole = make_batch(types, columns, random.below(10));
  const std::int64_t first = random.below(count);
  const std::int64_t kept = 1 + random.below(count - first);
  rows.batches.push_back(whole.slice(first, kept));
  for (Values& column : columns) {
    column = Values(column.begin() + first, column.begin() + first + kept);
  }
  rows.values.push_back(std::move(columns));
}

TEST(Gather, gives_the_rows_asked_for_whatever_their_types) {
  const auto types = all_types();
  const tuple::Gatherer gatherer(make_schema(types));
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomValues random(seed);
    Rows rows;
    for (std::int64_t left = 1 + random.below(4); left > 0; --left) add_batch(rows, types, random);
    std::vector<RowRef> asked;
    std::vector<Values> expected(types.size());
    for (std::int64_t left = random.below(60); left > 0; --left) {
      const auto batch = static_cast<std::size_t>(random.below(std::ssize(rows.batches)));
      const auto row = random.below(rows.batches[batch].rows());
      asked.push_back({static_cast<std::int32_t>(batch), static_cast<std::int32_t>(row)});
      for (std::size_t column = 0; column < types.size(); ++column) {
        expected[column].push_back(rows.values[batch][column][static_cast<std::size_t>(row)]);
      }
    }
    Batch made = gatherer.gather(rows.batches, asked);
    rows.batches.clear();  // the new batch lives on its own
    const auto read = read_batch(types, std::move(made));
    for (std::size_t column = 0; column < types.size(); ++column) {
      ASSERT_EQ(read[column], expected[column]) << types[column].name;
    }
  }
  EXPECT_EQ(support::live_arrays, 0);
}

TEST(Gather, takes_rows_of_one_batch_whatever_their_types) {
  const auto types = all_types();
  const tuple::Gatherer gatherer(make_schema(types));
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomValues random(seed);
    Rows rows;
    add_batch(rows, types, random);
    std::vector<std::int32_t> asked;
    for (std::int64_t left = random.below(40); left > 0; --left) {
      asked.push_back(static_cast<std::int32_t>(random.below(rows.batches[0].rows())));
    }
    const auto read = read_batch(types, gatherer.take(rows.batches[0], asked));
    for (std::size_t column = 0; column < types.size(); ++column) {
      Values expected;
      for (const auto row : asked) {
        expected.push_back(rows.values[0][column][static_cast<std::size_t>(row)]);
      }
      ASSERT_EQ(read[column], expected) << types[column].name;
    }
  }
}

// The nodes of an array and of all below it.
template <typename Visit>
void each_node(const Type& type, const ArrowArray& array, Visit visit) {
  visit(type, array);
  for (std::size_t child = 0; child < type.children.size(); ++child) {
    each_node(type.children[child], *array.children[child], visit);
  }
}

TEST(Gather, makes_arrays_that_count_their_nulls_and_are_aligned) {
  const auto types = all_types();
  RandomValues random(7);
  Rows rows;
  for (int left = 3; left > 0; --left) add_batch(rows, types, random);
  std::vector<RowRef> asked;
  for (std::int32_t batch : {2, 0, 1, 2}) asked.push_back({batch, 0});
  ArrowArray root{};
  tuple::gather(make_schema(types), rows.batches, asked).export_to(root);
  for (std::size_t column = 0; column < types.size(); ++column) {
    each_node(types[column], *root.children[column], [](const Type& type, const ArrowArray& array) {
      const auto read = support::read_items(type, array, 0, array.length);
      // A dictionary may hold a null of its own, which is none of the indices'.
      if (type.dictionary.empty()) {
        EXPECT_EQ(array.null_count, std::ranges::count(read, true, &Value::null)) << type.name;
      }
      for (std::int64_t buffer = 0; buffer < array.n_buffers; ++buffer) {
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.buffers[buffer]) % 64, 0U) << type.name;
        EXPECT_TRUE(buffer == 0 || array.buffers[buffer] != nullptr) << type.name;
      }
    });
  }
  root.release(&root);
}

TEST(Gather, a_child_moved_out_of_a_gathered_batch_lives_on) {
  const std::vector<Type> types{{.format = "+l", .children = {{.format = "u"}}}};
  const Value list = nested({text("a"), null_value()});
  const Batch batch = make_batch(types, {{list, null_value(), list}});
  ArrowArray root{};
  tuple::take(make_schema(types), batch, std::vector{2, 0}).export_to(root);
  ArrowArray child = *root.children[0];
  root.children[0]->release = nullptr;  // moved, as the interface defines it
  root.release(&root);
  EXPECT_EQ(support::read_value(types[0], child, 1), list);
  child.release(&child);
}

TEST(Gather, rows_that_follow_each_other_are_not_copied) {
  const std::vector<Type> types{{.format = "l"}};
  const auto schema = make_schema(types);
  const Batch batch = make_batch(types, {{number(1L), number(2L), number(3L)}});
  const auto* data = batch.column(0).array->buffers[1];
  EXPECT_EQ(tuple::take(schema, batch, std::vector{1, 2}).column(0).array->buffers[1], data);
  EXPECT_NE(tuple::take(schema, batch, std::vector{2, 1}).column(0).array->buffers[1], data);
  const std::vector<Batch> batches{batch, batch};
  const std::vector<RowRef> following{{1, 0}, {1, 1}};
  const std::vector<RowRef> jumping{{0, 0}, {1, 1}};
  EXPECT_EQ(tuple::gather(schema, batches, following).column(0).array->buffers[1], data);
  EXPECT_NE(tuple::gather(schema, batches, jumping).column(0).array->buffers[1], data);
}

TEST(Gather, what_lies_under_a_null_is_not_copied) {
  const std::vector<Type> types{{.format = "u"}, {.format = "+l", .children = {{.format = "l"}}}};
  const Value list = nested({number(1L)});
  const Batch batch = make_batch(
      types, {{null_value(), text("a"), null_value()}, {null_value(), list, null_value()}});
  const auto* hidden = static_cast<const std::int32_t*>(batch.column(0).array->buffers[1]);
  ASSERT_GT(hidden[1], 0) << "the test is about bytes that a null hides";
  const Batch made = tuple::take(make_schema(types), batch, std::vector{2, 0});
  const auto* ends = static_cast<const std::int32_t*>(made.column(0).array->buffers[1]);
  EXPECT_EQ(ends[2], 0);
  EXPECT_EQ(made.column(1).array->children[0]->length, 0);
}

TEST(Gather, makes_an_empty_batch_of_nothing) {
  const auto types = all_types();
  const Batch made = tuple::gather(make_schema(types), {}, {});
  EXPECT_EQ(made.rows(), 0);
  EXPECT_EQ(made.columns(), std::ssize(types));
  for (const Values& column : read_batch(types, made)) EXPECT_TRUE(column.empty());
}

TEST(Gather, shares_a_dictionary_that_all_rows_have) {
  const std::vector<Type> types{{.format = "c", .dictionary = {{.format = "u"}}}};
  const auto schema = make_schema(types);
  const Batch batch = make_batch(types, {{text("a"), text("b"), null_value(), text("a")}});
  const Batch once = tuple::take(schema, batch, std::vector{3, 1});
  const std::vector<Batch> batches{batch.slice(1, 3), once};
  const std::vector<RowRef> asked{{1, 1}, {0, 2}, {0, 1}};
  const Batch made = tuple::gather(schema, batches, asked);
  const ArrowArray* entries = batch.column(0).array->dictionary;
  EXPECT_EQ(made.column(0).array->dictionary->buffers, entries->buffers);
  EXPECT_EQ(read_batch(types, made)[0], (Values{text("b"), text("a"), null_value()}));
}

TEST(Gather, says_when_the_indices_are_too_narrow_for_all_dictionaries) {
  const std::vector<Type> types{{.format = "c", .dictionary = {{.format = "l"}}, .name = "code"}};
  Values values;
  for (std::int64_t value = 0; value < 100; ++value) values.push_back(number(value));
  const std::vector<Batch> batches{make_batch(types, {values}), make_batch(types, {values})};
  const std::vector<RowRef> asked{{1, 7}, {0, 7}};
  try {
    (void)tuple::gather(make_schema(types), batches, asked);
    FAIL() << "200 entries do not fit an int8";
  } catch (const std::length_error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("'code'"), std::string::npos) << said;
    EXPECT_NE(said.find("200 entries"), std::string::npos) << said;
  }
  EXPECT_EQ(read_batch(types, tuple::take(make_schema(types), batches[0], std::vector{9, 4}))[0],
            (Values{number(9L), number(4L)}));
}

TEST(Gather, refuses_a_type_whose_rows_cannot_be_moved) {
  const Type number{.format = "l"};
  const Type inner{.format = "+us:0", .children = {number}, .name = "either"};
  try {
    const tuple::Gatherer gatherer(make_schema({{.format = "+s", .children = {inner}}}));
    FAIL() << "unions are not supported";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'either' of type union"), std::string::npos);
  }
}

TEST(GatherDeathTest, a_row_that_does_not_exist_is_noticed) {
  const std::vector<Type> types{{.format = "l"}};
  const Batch batch = make_batch(types, {{number(1L)}});
  const std::vector<Batch> batches{batch};
  const std::vector<RowRef> other_batch{{1, 0}};
  EXPECT_DEATH((void)tuple::take(make_schema(types), batch, std::vector{1}), "must exist");
  EXPECT_DEATH((void)tuple::gather(make_schema(types), batches, other_batch), "must exist");
}

}  // namespace
}  // namespace penstock
