#include <cstdint>
#include <gtest/gtest.h>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/ordered/queries/contenders.hpp"
#include "bench/ordered/queries/query.hpp"

namespace penstock::bench::queries {

// As a failed comparison shows it.
void PrintTo(const Output& output, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << '(' << output.at << ' ' << output.who << ' ' << output.item << ' ' << output.other << ' '
       << output.amount << ')';
}

namespace {

constexpr std::int64_t kStart = kFirstDay * kDay;
constexpr std::int64_t kStartHour = kStart / kHour;

// Rows are numbered as they come.
struct Given {
  std::int64_t time;
  std::int64_t who;
  std::int64_t item;
  std::int64_t other;
  std::int64_t amount;
};

Input input_of(const std::vector<Given>& rows, std::vector<std::int64_t> categories,
               std::vector<Page> pages = {}) {
  Input input{.rows = {}, .categories = std::move(categories), .pages = std::move(pages)};
  for (const Given& row : rows) {
    input.rows.push_back({.at = input.end(),
                          .time = row.time,
                          .who = row.who,
                          .item = row.item,
                          .other = row.other,
                          .amount = row.amount});
  }
  return input;
}

const Query& query_named(std::string_view name) {
  for (const Query& query : queries()) {
    if (query.name == name) return query;
  }
  throw std::invalid_argument("no such query");
}

// By plain code, and by every contender.
void expect_outputs(std::string_view name, const Input& input, const std::vector<Output>& wanted) {
  const Query& query = query_named(name);
  EXPECT_EQ(query.plain(input), wanted);
  for (const Entry& entry : contenders()) {
    Results results(input.end());
    entry.make(query, input, {}, results)->run();
    EXPECT_EQ(results.outputs(), wanted) << entry.name;
  }
}

TEST(OrderedQueries, q1_ranks_the_pairs_of_tickets_at_the_end_of_every_hour) {
  const auto input = input_of({{kStart, 1, 1, 10, 0},
                               {kStart, 1, 0, 10, 0},
                               {kStart, 1, 0, 10, 0},  // again on the same ticket
                               {kStart, 1, 3, 10, 0},  // not in category 1, 2 or 3
                               {kStart + 10, 2, 0, 50, 0},
                               {kStart + 10, 2, 2, 50, 0},
                               {kStart + 20, 3, 0, 10, 0},
                               {kStart + 20, 3, 1, 10, 0},
                               {kStart + 30, 4, 0, 60, 0},  // not in the stores from 10 to 50
                               {kStart + 30, 4, 1, 60, 0},
                               {kStart + 3'600, 5, 3, 10, 0},  // not wanted, but ends the hour
                               {kStart + 3'700, 6, 2, 10, 0},
                               {kStart + 3'700, 6, 1, 10, 0}},
                              {1, 2, 3, 4});
  expect_outputs(
      "q1", input,
      {{10, kStartHour, 0, 1, 2}, {10, kStartHour, 0, 2, 1}, {13, kStartHour + 1, 1, 2, 1}});
}

TEST(OrderedQueries, q1_gives_the_hundred_most_frequent_pairs_of_an_hour) {
  std::vector<Given> rows;
  for (std::int64_t item = 0; item < 15; ++item) rows.push_back({kStart, 1, item, 10, 0});
  rows.push_back({kStart + 1, 2, 14, 10, 0});
  rows.push_back({kStart + 1, 2, 13, 10, 0});
  std::vector<Output> wanted{{17, kStartHour, 13, 14, 2}};
  for (std::int64_t one = 0; one < 15; ++one) {
    for (std::int64_t two = one + 1; two < 15 && wanted.size() < 100; ++two) {
      wanted.push_back({17, kStartHour, one, two, 1});
    }
  }
  expect_outputs("q1", input_of(rows, std::vector<std::int64_t>(15, 2)), wanted);
}

TEST(OrderedQueries, q2_counts_the_pairs_of_a_session_when_it_is_over_or_the_input_ends) {
  const auto input = input_of({{kStart, 1, 5, kNull, 0},
                               {kStart + 100, 2, 7, kNull, 0},
                               {kStart + 200, 1, 3, kNull, 0},
                               {kStart + 300, kNull, 1, kNull, 0},
                               {kStart + 400, 1, kNull, kNull, 0},
                               {kStart + 3'800, 1, 5, kNull, 0},  // after an hour: the same session
                               {kStart + 7'401, 1, 9, kNull, 0},  // after more than that: another
                               {kStart + 7'500, 2, 5, kNull, 0},
                               {kStart + 7'600, 2, 3, kNull, 0},
                               {kStart + 7'700, 1, 3, kNull, 0}},
                              {});
  expect_outputs("q2", input,
                 {{6, 0, 3, 5, 1},
                  {10, 0, 3, 9, 1},  // this session began before the next one
                  {10, 0, 3, 5, 2},
                  {10, 1, 3, 5, 2},  // from here on ranked
                  {10, 2, 3, 9, 1}});
}

TEST(OrderedQueries, q3_counts_the_last_five_views_of_ten_days_before_a_purchase) {
  const auto later = kStart + 864'001;
  const auto input = input_of({{kStart, 1, 4, kNull, 0},
                               {kStart, 1, 0, kNull, 0},
                               {kStart + 1, 1, 1, kNull, 0},
                               {kStart + 1, 1, 2, kNull, 0},
                               {kStart + 1, 1, 3, kNull, 0},
                               {kStart + 1, 1, 0, kNull, 0},
                               {kStart + 2, 1, 1, 77, 0},  // sees all but the first view
                               {kStart + 2, 2, 1, 77, 0},  // has viewed nothing
                               {kStart + 2, 1, 0, 77, 0},  // neither category 2 nor 3
                               {kStart + 2, 1, kNull, 77, 0},
                               {later, 1, 2, 77, 0}},  // the second view is too old by now
                              {1, 2, 3, 4, 5});
  expect_outputs("q3", input,
                 {{6, 1, 0, 0, 1},
                  {6, 1, 1, 0, 1},
                  {6, 1, 2, 0, 1},
                  {6, 1, 3, 0, 1},
                  {6, 1, 0, 0, 2},
                  {10, 2, 1, 0, 2},
                  {10, 2, 2, 0, 2},
                  {10, 2, 3, 0, 2},
                  {10, 2, 0, 0, 3}});
}

TEST(OrderedQueries, q4_adds_up_the_pages_of_sessions_that_end_without_an_order) {
  const auto input = input_of({{kStart, 1, 0, kNull, 1},
                               {kStart + 10, 1, 0, kNull, 0},
                               {kStart + 20, 1, 0, 5, 2},  // a sale is no view
                               {kStart + 30, 2, 0, kNull, 1},
                               {kStart + 40, 2, 0, kNull, 2},
                               {kStart + 50, 3, 0, kNull, 0},
                               {kStart + 50, kNull, 0, kNull, 1},
                               {kStart + 3'700, 1, kNull, kNull, 1},
                               {kStart + 3'720, 3, 0, kNull, 0}},
                              {}, {Page::kOther, Page::kDynamic, Page::kOrder});
  expect_outputs("q4", input, {{7, 1, 2, 2, 1}, {9, 1, 1, 3, 2}});
}

TEST(OrderedQueries, q15_finds_the_categories_whose_sales_do_not_rise) {
  const auto day = [](std::int64_t number) { return number * kDay; };
  const auto input = input_of({{day(37'004), 1, 0, 10, 1},  // too early
                               {day(37'005), 2, 0, 10, 60},
                               {day(37'005), 2, 0, 10, 40},
                               {day(37'005), 2, 0, 20, 999},  // in another store
                               {day(37'005), 3, 1, 10, 10},
                               {day(37'005), 3, 2, 10, 5},
                               {day(37'006), 4, 0, 10, 90},
                               {day(37'006), 4, 1, 10, 20},
                               {day(37'007), 5, 0, 10, 80},
                               {day(37'007), 5, 2, 10, 5},
                               {day(37'036), 6, 1, 10, 0}},  // too late
                              {7, 2, 3});
  expect_outputs("q15", input, {{11, 3, 0, 4, 0}, {11, 7, -60, 6, 0}});
}

TEST(OrderedQueries, fan_makes_fifty_rows_of_each_and_numbers_those_of_an_item) {
  const Input input = input_of(
      {{kStart, 1, 0, kNull, 0}, {kStart + 9, 2, 0, kNull, 0}, {kStart + 9, 3, 0, kNull, 0}}, {});
  const auto outputs = query_named("fan").plain(input);
  EXPECT_EQ(outputs.size(), 150U);
  EXPECT_EQ(outputs[1], (Output{0, 0, 389, 0, 1}));
  EXPECT_EQ(outputs[50], (Output{1, 0, 450, 0, 1}));
  expect_outputs("fan", input, outputs);
  // A thousand items, so after twenty rows they come again.
  const auto later = query_named("fan").plain(input_of(std::vector<Given>(21, Given{}), {}));
  EXPECT_EQ(later.back().amount, 2);
}

TEST(OrderedQueries, nothing_comes_of_nothing) {
  for (const Query& query : queries()) expect_outputs(query.name, input_of({}, {}), {});
}

TEST(OrderedQueries, the_generated_input_keeps_every_operator_busy) {
  for (const Query& query : queries()) {
    const Input input = query.make_input(20'000);
    const auto outputs = query.plain(input);
    EXPECT_EQ(input.rows.size(), 20'000U);
    const std::size_t least = query.name == "q15" ? 1 : 500;  // it has a few categories
    EXPECT_GE(outputs.size(), least) << query.name;
  }
}

}  // namespace
}  // namespace penstock::bench::queries
