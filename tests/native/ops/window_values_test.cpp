#include "penstock/ops/window_values.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "penstock/ops/window_kept.hpp"

#include "ops/windowing.hpp"

namespace penstock {
namespace {

using ops::Aggregate;
using ops::Function;
using ops::WindowValues;

const std::vector<Aggregate> kAggregates{{Function::kCount, Aggregate::kRows},
                                         {Function::kCount, 2},
                                         {Function::kSum, 2},
                                         {Function::kMin, 2},
                                         {Function::kMax, 1},
                                         {Function::kMean, 2}};

WindowValues make_values() {
  return {tuple::read_fields(support::make_schema(support::kGivenTypes)), kAggregates};
}

std::string values_of(WindowValues& values, std::uint32_t slot) {
  std::string read;
  values.read(std::span(&slot, 1), std::span(&read, 1));
  return read;
}

std::string encoded(std::int64_t rows, std::int64_t count, std::int64_t sum, std::int64_t least,
                    std::int64_t most, double mean) {
  std::string bytes;
  for (const auto value : {rows, count, sum, least, most}) tuple::encode_value(value, bytes);
  tuple::encode_value(mean, bytes);
  return bytes;
}

TEST(WindowValues, a_row_may_be_in_many_windows_and_reading_changes_nothing) {
  auto values = make_values();
  const auto one = values.open();
  const auto other = values.open();
  for (const std::int32_t row : {0, 1, 2}) values.note(one, row);
  values.note(other, 1);
  values.settle(support::batch_of({{1, 7, 4}, {1, 9, 2}, {1, 8, {}}}));
  for (int times = 0; times < 2; ++times) {
    EXPECT_EQ(values_of(values, one), encoded(3, 2, 6, 2, 9, 3));
    EXPECT_EQ(values_of(values, other), encoded(1, 1, 2, 2, 9, 2));
  }
}

TEST(WindowValues, a_slot_is_used_again_and_knows_nothing_then) {
  auto values = make_values();
  const auto slot = values.open();
  values.note(slot, 0);
  values.settle(support::batch_of({{1, 7, 4}}));
  values.close(slot);
  EXPECT_EQ(values.open(), slot);
  values.note(slot, 0);
  values.settle(support::batch_of({{1, 1, 1}}));
  EXPECT_EQ(values_of(values, slot), encoded(1, 1, 1, 1, 1, 1));
}

TEST(WindowValues, what_was_saved_goes_on_elsewhere) {
  auto from = make_values();
  const auto slot = from.open();
  from.note(slot, 0);
  from.settle(support::batch_of({{1, {}, 4}}));
  std::string saved;
  from.save(slot, saved);
  auto to = make_values();
  (void)to.open();
  const auto there = to.open();
  tuple::ValueReader reader(saved);
  to.restore(there, reader);
  EXPECT_TRUE(reader.ended());
  EXPECT_EQ(values_of(to, there), values_of(from, slot));
  to.note(there, 0);
  to.settle(support::batch_of({{1, 7, 8}}));
  EXPECT_EQ(values_of(to, there), encoded(2, 2, 12, 4, 7, 6));
}

TEST(WindowValues, kept_columns_make_the_same_of_rows) {
  ops::KeptColumns kept(support::make_schema(support::kGivenTypes), kAggregates);
  auto values = kept.make_values();
  const auto batch = support::batch_of({{1, 7, 4}, {1, 9, 2}, {1, 8, {}}});
  kept.begin(batch);
  std::vector<std::string> rows;
  for (const std::int64_t row : {0, 1, 2}) rows.push_back(kept.keep(row));
  const std::vector<std::string_view> views(rows.begin(), rows.end());
  EXPECT_EQ(values_of(values, kept.fold(views, 0, values)), encoded(3, 2, 6, 2, 9, 3));
}

}  // namespace
}  // namespace penstock
