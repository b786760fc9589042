#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include "bench/ordered/queries/measure.hpp"

namespace penstock::bench::queries {
namespace {

using Case = std::tuple<Query, Entry>;

class EveryQueryContender : public testing::TestWithParam<Case> {};

// One of them makes fifty rows of each.
std::size_t rows_for(const Query& query, std::size_t rows) {
  return query.name == "fan" ? rows / 10 : rows;
}

void expect_same(const Measured& measured, const Prepared& prepared) {
  EXPECT_TRUE(measured.difference.none());
  EXPECT_EQ(measured.outputs, prepared.wanted.size());
}

TEST_P(EveryQueryContender, gives_what_plain_code_gives_in_order) {
  const auto& [query, entry] = GetParam();
  const Prepared prepared(query, rows_for(query, 4'000));
  for (const std::size_t workers : {1U, 2U, 3U}) {
    expect_same(measure(entry, prepared, {.workers = workers}), prepared);
    expect_same(measure(entry, prepared, {.workers = workers, .cost = 50}), prepared);
  }
}

TEST_P(EveryQueryContender, needs_no_more_room_than_a_row_to_come_to_an_end) {
  const auto& [query, entry] = GetParam();
  const Prepared prepared(query, rows_for(query, 1'000));
  for (const std::size_t room : {1U, 2U, 7U}) {
    expect_same(measure(entry, prepared, {.workers = 3, .window = room, .capacity = room}),
                prepared);
  }
}

TEST_P(EveryQueryContender, has_a_latency) {
  const auto& [query, entry] = GetParam();
  const auto measured = measure(entry, Prepared(query, 2'000), {});
  EXPECT_GT(measured.latency_us.p50, 0);
  EXPECT_GE(measured.latency_us.p99, measured.latency_us.p50);
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  const auto& [query, entry] = info.param;
  return std::string(query.name) + "_" + std::string(entry.name);
}

INSTANTIATE_TEST_SUITE_P(Queries, EveryQueryContender,
                         testing::Combine(testing::ValuesIn(queries().begin(), queries().end()),
                                          testing::ValuesIn(contenders().begin(),
                                                            contenders().end())),
                         name_of);

}  // namespace
}  // namespace penstock::bench::queries
