#include "penstock/ops/compiled/merged_rows.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "ops/compiled/functions.hpp"

namespace penstock {
namespace {

using ops::MadeRows;
using ops::MergedRows;

using Rows = std::vector<std::int32_t>;

// A part that made these rows of the rows there are.
void fill(MadeRows& made, const Rows& from) {
  penstock_frame frame{};
  frame.rows = 6;
  made.begin({}, frame.rows, frame);
  for (const auto row : from) support::add_row(&frame, row);
  made.finish(frame);
}

Rows merged(const std::vector<MadeRows>& parts, const Rows& part_of, std::int64_t rows,
            bool passed) {
  MergedRows all;
  passed ? all.merge_passed(parts, part_of, rows) : all.merge(parts, part_of, rows);
  return {all.from().begin(), all.from().end()};
}

TEST(MergedRows, come_by_the_row_that_they_were_made_of) {
  std::vector<MadeRows> parts(3);
  fill(parts[0], {0, 3, 5});
  fill(parts[2], {1, 4});
  const Rows part_of{0, 2, 0, 0, 2, 0};
  for (const bool passed : {true, false}) {
    EXPECT_EQ(merged(parts, part_of, 6, passed), (Rows{0, 1, 3, 4, 5}));
    EXPECT_EQ(merged(parts, part_of, 4, passed), (Rows{0, 1, 3}));
    EXPECT_EQ(merged(parts, part_of, 0, passed), Rows());
  }
}

TEST(MergedRows, of_one_row_come_in_the_order_of_emission) {
  std::vector<MadeRows> parts(3);
  fill(parts[0], {0, 0, 5});
  fill(parts[2], {1, 1});
  const Rows part_of{0, 2, 0, 0, 2, 0};
  for (const bool passed : {true, false}) {
    EXPECT_EQ(merged(parts, part_of, 6, passed), (Rows{0, 0, 1, 1, 5}));
  }
  MergedRows all;
  all.merge(parts, part_of, 6);
  // The second part made nothing, so the third one is the second that did.
  const Rows batches{0, 0, 1, 1, 0};
  const Rows rows{0, 1, 0, 1, 2};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(all.rows()[i].batch, batches[i]);
    EXPECT_EQ(all.rows()[i].row, rows[i]);
  }
}

}  // namespace
}  // namespace penstock
