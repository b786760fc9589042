#include "penstock/region/merger.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

#include "support/int_batch.hpp"
#include "support/key_counter.hpp"

namespace penstock {
namespace {

using region::Fragment;
using region::Merger;
using Rows = std::vector<std::int64_t>;

class Emitted final : public graph::Output {
 public:
  void emit(tuple::Batch batch, int /*port*/) override {
    const auto made = support::read_column(std::move(batch));
    values.insert(values.end(), made.begin(), made.end());
    ++batches;
  }
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }

  Rows values;
  int batches = 0;
};

Fragment fragment(std::vector<std::int32_t> rows, Rows values) {
  return {.batch = support::make_int_batch(std::move(values)), .rows = std::move(rows)};
}

Rows merged(std::vector<std::vector<Fragment>> by_channel, std::int64_t rows) {
  Emitted emitted;
  Merger(support::int_schema()).merge(by_channel, rows, emitted);
  return emitted.values;
}

TEST(Merger, orders_by_input_row_and_then_by_emission) {
  EXPECT_EQ(merged({{fragment({0, 0, 3}, {10, 11, 30}), fragment({3, 5}, {31, 50})},
                    {},
                    {fragment({1}, {1}), fragment({4, 4}, {40, 41})}},
                   6),
            (Rows{10, 11, 1, 30, 31, 40, 41, 50}));
}

TEST(Merger, leaves_out_what_comes_from_rows_behind_the_good_ones) {
  EXPECT_EQ(merged({{fragment({0, 2}, {0, 2})}, {fragment({1, 3}, {1, 3})}}, 2), (Rows{0, 1}));
  EXPECT_EQ(merged({{fragment({0, 2}, {0, 2})}, {}}, 2), (Rows{0})) << "of one channel alone";
  EXPECT_EQ(merged({{fragment({1}, {1})}, {fragment({2}, {2})}}, 0), Rows());
}

TEST(Merger, passes_the_batches_of_a_single_channel_on_as_they_are) {
  std::vector<std::vector<Fragment>> one{{}, {fragment({0}, {7}), fragment({1, 2}, {8, 9})}};
  Emitted emitted;
  Merger(support::int_schema()).merge(one, 3, emitted);
  EXPECT_EQ(emitted.values, (Rows{7, 8, 9}));
  EXPECT_EQ(emitted.batches, 2);
}

TEST(Merger, can_spare_the_merging_where_only_the_order_of_a_key_counts) {
  std::vector<std::vector<Fragment>> two{{fragment({1, 3}, {1, 3})}, {fragment({0, 2}, {0, 2})}};
  Emitted emitted;
  Merger::pass_on(two, 3, emitted);
  EXPECT_EQ(emitted.values, (Rows{1, 0, 2}));
}

TEST(Merger, restores_any_order_that_was_split) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 chance(seed);
    std::vector<std::vector<Fragment>> by_channel(1 + chance() % 5);
    Rows right;
    for (std::int32_t row = 0; row < 40; ++row) {
      auto& fragments = by_channel[chance() % by_channel.size()];
      const auto copies = chance() % 4;
      if (fragments.empty() || chance() % 3 == 0) fragments.push_back(fragment({}, {}));
      Rows values = support::read_column(fragments.back().batch);
      for (std::uint64_t i = 0; i < copies; ++i) {
        values.push_back(std::ssize(right));
        fragments.back().rows.push_back(row);
        right.push_back(std::ssize(right));
      }
      fragments.back().batch = support::make_int_batch(std::move(values));
    }
    ASSERT_EQ(merged(std::move(by_channel), 40), right) << "seed " << seed;
  }
}

}  // namespace
}  // namespace penstock
