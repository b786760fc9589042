#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <vector>

#include "bench/as_printed/free_list.hpp"
#include "bench/as_printed/reorder.hpp"
#include "bench/workload/source.hpp"
#include "bench/workload/tuple_run.hpp"

namespace penstock::bench {
namespace {

std::vector<std::uint64_t> serials(const Items& items) {
  std::vector<std::uint64_t> found;
  for (const Item& item : items) found.push_back(item.serial);
  return found;
}

TEST(TupleRun, every_pipeline_finds_its_own_tuples) {
  Workload workload({.shape = {.depth = 1, .width = 4}, .tuples = 20});
  TupleRun<64> run;
  run.claim(workload, 6);
  run.claim(workload, 6);  // tuples 6 to 11
  run.write(workload);
  EXPECT_EQ(serials(run.of(0, 4)), (std::vector<std::uint64_t>{8}));
  EXPECT_EQ(serials(run.of(1, 4)), (std::vector<std::uint64_t>{9}));
  EXPECT_EQ(serials(run.of(2, 4)), (std::vector<std::uint64_t>{6, 10}));
  EXPECT_EQ(serials(run.of(3, 4)), (std::vector<std::uint64_t>{7, 11}));
}

TEST(TupleRun, a_pipeline_without_tuples_finds_none) {
  Workload workload({.shape = {.depth = 1, .width = 100}, .tuples = 3});
  TupleRun<64> run;
  run.claim(workload, 64);
  run.write(workload);
  EXPECT_EQ(serials(run.of(2, 100)), (std::vector<std::uint64_t>{2}));
  EXPECT_TRUE(run.of(3, 100).empty());
  EXPECT_TRUE(run.of(99, 100).empty());
}

TEST(Emit, what_is_emitted_takes_the_place_of_its_tuple) {
  std::vector<Item> items(4);
  Emit emit({items.data(), 2, 2});
  Item other;
  other.serial = 7;
  static_cast<void>(emit(items[0])(other));
  EXPECT_EQ(items[2].serial, 7U);
  EXPECT_EQ(items[0].serial + items[1].serial + items[3].serial, 0U);
}

TEST(Source, an_unpaced_source_gives_all_it_has) {
  Source source(5, 0);
  std::vector<Item> items(8);
  EXPECT_EQ(source.fill(items.data(), 3), 3);
  EXPECT_EQ(source.due(), 2U);
  EXPECT_EQ(source.fill(items.data() + 3, 5), 2);
  EXPECT_TRUE(source.ended());
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(items[i].serial, i);
}

TEST(Source, a_paced_source_gives_nothing_before_the_first_tick) {
  Source source(100, 1e5);  // five in each tick
  std::vector<Item> items(100);
  EXPECT_EQ(source.fill(items.data(), 100), 0);
  source.wait();
  EXPECT_GE(source.due(), 5U);
  EXPECT_GE(source.fill(items.data(), 100), 5);
  EXPECT_GT(items[0].handed_over, 0);
  while (!source.ended()) {
    source.wait();
    source.fill(items.data(), 100);
  }
  EXPECT_EQ(source.sent(), 100U);
}

TEST(FreeList, ports_come_out_in_the_order_they_were_put_in) {
  as_printed::FreeList list(3);
  for (const std::uint32_t port : {2U, 0U, 1U}) ASSERT_TRUE(list.push(port));
  for (int lap = 0; lap < 500; ++lap) {
    for (const std::uint32_t port : {2U, 0U, 1U}) {
      ASSERT_EQ(list.pop(), port);
      ASSERT_TRUE(list.push(port));
    }
  }
}

TEST(FreeList, an_empty_list_gives_nothing) {
  as_printed::FreeList list(1);
  EXPECT_EQ(list.pop(), std::nullopt);
  ASSERT_TRUE(list.push(5));
  EXPECT_EQ(list.pop(), 5U);
  EXPECT_EQ(list.pop(), std::nullopt);
}

TEST(Reorder, tuples_leave_in_the_order_of_the_source_however_far_apart_they_come) {
  as_printed::Reorder reorder;
  std::vector<std::uint64_t> left;
  const auto add = [&](std::uint64_t serial) {
    Item item;
    item.serial = serial;
    reorder.add(item, [&left](const Item& next) { left.push_back(next.serial); });
  };
  constexpr std::uint64_t kCount = 5000;  // more than there is room for at first
  for (std::uint64_t serial = 1; serial < kCount; ++serial) add(serial);
  EXPECT_TRUE(left.empty());
  add(0);
  ASSERT_EQ(left.size(), kCount);
  for (std::uint64_t serial = 0; serial < kCount; ++serial) ASSERT_EQ(left[serial], serial);
}

}  // namespace
}  // namespace penstock::bench
