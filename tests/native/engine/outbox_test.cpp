#include "penstock/engine/outbox.hpp"

#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include "support/arrow_columns.hpp"
#include "support/int_batch.hpp"

namespace penstock {
namespace {

using engine::Outbox;
using Rows = std::vector<std::int64_t>;

std::vector<tuple::Batch> one(Rows values) {
  std::vector<tuple::Batch> made;
  made.push_back(support::make_int_batch(std::move(values)));
  return made;
}

tuple::Schema ints() { return support::make_schema({{.format = "l"}}); }

TEST(Outbox, joins_what_came_of_one_input_batch) {
  Outbox box(ints());
  box.put(one({1, 2}), false);
  EXPECT_TRUE(box.empty());
  box.put({}, false);
  box.put(one({3}), true);
  box.put(one({4}), true);
  EXPECT_EQ(support::read_column(box.take()), (Rows{1, 2, 3}));
  EXPECT_EQ(support::read_column(box.take()), (Rows{4}));
  EXPECT_TRUE(box.empty());
}

TEST(Outbox, begins_another_batch_behind_a_mark) {
  for (const auto& schema : {std::optional<tuple::Schema>(), std::optional(ints())}) {
    Outbox box(schema);
    auto made = one({1});
    made.emplace_back();
    made.push_back(support::make_int_batch({2}));
    box.put(std::move(made), true);
    EXPECT_EQ(support::read_column(box.take()), (Rows{1}));
    EXPECT_EQ(support::read_column(box.take()), (Rows{2}));
    EXPECT_TRUE(box.empty());
  }
}

TEST(Outbox, does_not_wait_for_more_than_enough_rows) {
  Outbox box(ints());
  box.put(one(Rows(Outbox::kMostRows - 1)), false);
  EXPECT_TRUE(box.empty());
  box.put(one({7}), false);
  EXPECT_EQ(box.take().rows(), Outbox::kMostRows);
  box.put({}, true);
  EXPECT_TRUE(box.empty());
}

TEST(Outbox, gives_what_is_there_when_nothing_follows) {
  Outbox box(ints());
  box.put(one({1}), false);
  box.complete();
  EXPECT_EQ(support::read_column(box.take()), (Rows{1}));
}

TEST(Outbox, leaves_batches_alone_that_it_cannot_join) {
  const support::Type list{.format = "+l", .children = {{.format = "l"}}};
  for (const auto& schema :
       {std::optional<tuple::Schema>(), std::optional(support::make_schema({list}))}) {
    Outbox box(schema);
    box.put(one({1}), false);
    box.put(one({2}), true);
    EXPECT_EQ(support::read_column(box.take()), (Rows{1}));
    EXPECT_EQ(support::read_column(box.take()), (Rows{2}));
  }
}

TEST(Outbox, forgets_everything_when_cleared) {
  Outbox box(ints());
  box.put(one({1}), true);
  box.put(one({2}), false);
  box.clear();
  box.complete();
  EXPECT_TRUE(box.empty());
}

}  // namespace
}  // namespace penstock
