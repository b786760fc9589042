#include <gtest/gtest.h>
#include <vector>

#include "bench/ordered/queries/source.hpp"

namespace penstock::bench::queries {
namespace {

TEST(OrderedQuerySource, a_mark_comes_before_every_hour_and_at_equal_intervals) {
  Input input;
  for (std::int64_t i = 0; i < 300; ++i) input.rows.push_back({.at = i, .time = i * 20});
  Source source(input);
  std::vector<std::int64_t> marks;
  std::int64_t rows = 0;
  for (; !source.empty(); source.move_past()) {
    const Row row = source.next();
    EXPECT_EQ(row.time, row.at * 20);
    EXPECT_EQ(row.at, rows);  // of a mark, too: it belongs to the row behind it
    if (row.mark) {
      marks.push_back(row.at);
    } else {
      ++rows;
    }
  }
  EXPECT_EQ(rows, 300);
  EXPECT_EQ(marks, (std::vector<std::int64_t>{0, 128, 180, 256}));
}

TEST(OrderedQuerySource, what_was_not_moved_past_comes_again) {
  Input input;
  input.rows.push_back({.at = 0});
  const Source source(input);
  EXPECT_TRUE(source.next().mark);
  EXPECT_TRUE(source.next().mark);
}

TEST(OrderedQuerySource, clicks_and_sales_are_the_same_every_time_and_ordered_by_time) {
  for (const auto make : {make_clicks, make_sales}) {
    const auto one = make(5'000);
    const auto two = make(5'000);
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
      EXPECT_EQ(one.rows[i].item, two.rows[i].item);
      EXPECT_EQ(one.rows[i].at, static_cast<std::int64_t>(i));
      EXPECT_GE(one.rows[i].time, one.rows[i == 0 ? 0 : i - 1].time);
    }
  }
}

TEST(OrderedQuerySource, clicks_have_nulls_and_sales_a_time_for_each_ticket) {
  int nulls = 0;
  for (const Row& click : make_clicks(1'000).rows)
    nulls += click.who == kNull || click.item == kNull;
  EXPECT_GT(nulls, 20);
  EXPECT_LT(nulls, 200);
  const auto sales = make_sales(1'000).rows;
  int same_ticket = 0;
  for (std::size_t i = 1; i < sales.size(); ++i) {
    if (sales[i].who != sales[i - 1].who) continue;
    EXPECT_EQ(sales[i].time, sales[i - 1].time);
    ++same_ticket;
  }
  EXPECT_GT(same_ticket, 500);
}

}  // namespace
}  // namespace penstock::bench::queries
