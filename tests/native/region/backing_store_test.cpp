#include "penstock/region/backing_store.hpp"

#include <gtest/gtest.h>

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"

namespace penstock {
namespace {

using region::MemoryStore;

TEST(MemoryStore, gives_each_channel_what_was_saved_for_it_whoever_gave_it) {
  const auto schema = support::int_schema();
  MemoryStore store;
  store.save(1, schema, {.from = 3, .to = 0, .rows = support::make_int_batch({30})});
  store.save(0, schema, {.from = 0, .to = 1, .rows = support::make_int_batch({1})});
  store.save(1, schema, {.from = 2, .to = 0, .rows = support::make_int_batch({20})});
  store.save(1, schema, {.from = 3, .to = 1, .rows = support::make_int_batch({31})});

  const auto found = store.retrieve(1, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].from, 3);
  EXPECT_EQ(support::read_column(found[1].rows), (std::vector<std::int64_t>{20}));
  EXPECT_EQ(store.retrieve(1, 1).size(), 1U);
  EXPECT_EQ(store.retrieve(0, 1).size(), 1U);
}

TEST(MemoryStore, has_nothing_twice_and_nothing_of_strangers) {
  const auto schema = support::int_schema();
  MemoryStore store;
  EXPECT_TRUE(store.retrieve(0, 0).empty());
  store.save(0, schema, {.from = 1, .to = 0, .rows = support::make_int_batch({1})});
  EXPECT_TRUE(store.retrieve(1, 0).empty());
  EXPECT_EQ(store.retrieve(0, 0).size(), 1U);
  EXPECT_TRUE(store.retrieve(0, 0).empty());
}

}  // namespace
}  // namespace penstock
