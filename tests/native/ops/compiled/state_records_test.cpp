#include "penstock/ops/compiled/state_records.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "support/arrow_values.hpp"

namespace penstock {
namespace {

using ops::StateRecords;

std::int64_t& record(StateRecords& records, std::size_t key) {
  return static_cast<std::int64_t*>(records.data())[key];
}

TEST(StateRecords, are_zero_when_a_key_is_new_and_after_it_was_forgotten) {
  StateRecords records(sizeof(std::int64_t));
  records.reserve(2);
  EXPECT_EQ(record(records, 1), 0);
  record(records, 0) = 7;
  record(records, 1) = 8;
  records.reserve(1000);
  EXPECT_EQ(record(records, 1), 8);
  EXPECT_EQ(record(records, 999), 0);
  const std::vector<std::uint32_t> gone{1};
  records.forget(gone);
  EXPECT_EQ(record(records, 0), 7);
  EXPECT_EQ(record(records, 1), 0);
}

TEST(StateRecords, come_back_as_they_were_saved) {
  const support::Type type{.format = "w:8"};
  const auto batch = support::make_batch(
      {type},
      {{support::number(std::int64_t{5}), support::null_value(), support::number(std::int64_t{6})}},
      2);
  StateRecords records(sizeof(std::int64_t));
  records.reserve(3);
  const std::vector<tuple::ColumnSlice> columns{batch.column(0)};
  const std::vector<std::int32_t> rows{0, 1, 2};
  const std::vector<std::uint32_t> ids{2, 0, 1};
  records.restore(columns, rows, ids);
  EXPECT_EQ(record(records, 2), 5);
  EXPECT_EQ(record(records, 0), 0) << "null is what is known of a new key";
  EXPECT_EQ(record(records, 1), 6);
  std::vector<std::int64_t> saved(2);
  const std::vector<ops::Column> out{{.values = saved.data(), .valid = nullptr}};
  records.save(std::vector<std::uint32_t>{1, 2}, out);
  EXPECT_EQ(saved, (std::vector<std::int64_t>{6, 5}));
}

TEST(StateRecords, are_saved_under_a_name_that_no_key_has) {
  EXPECT_EQ(StateRecords::saved_field(8, {}).name, "state");
  EXPECT_EQ(StateRecords::saved_field(8, {{.name = "state"}, {.name = "state_"}}).name, "state__");
}

}  // namespace
}  // namespace penstock
