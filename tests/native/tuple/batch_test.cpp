#include "penstock/tuple/batch.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "support/int_batch.hpp"

namespace penstock {
namespace {

using support::live_batches;
using support::make_int_array;
using support::make_int_batch;
using support::read_column;
using tuple::Batch;
using Values = std::vector<std::int64_t>;

TEST(Batch, takes_the_array_over_and_leaves_it_released) {
  ArrowArray array = make_int_array({{1, 2, 3}, {4, 5, 6}});
  const Batch batch = Batch::adopt(array);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(batch.rows(), 3);
  EXPECT_EQ(batch.columns(), 2);
}

TEST(Batch, gives_the_buffers_back_when_the_last_part_is_gone) {
  ASSERT_EQ(live_batches, 0);
  {
    Batch part;
    {
      const Batch whole = make_int_batch({1, 2, 3, 4});
      part = whole.slice(1, 2);
    }
    EXPECT_EQ(live_batches, 1);
    EXPECT_EQ(read_column(part), (Values{2, 3}));
  }
  EXPECT_EQ(live_batches, 0);
}

TEST(Batch, a_slice_of_a_slice_counts_from_its_own_first_row) {
  const Batch batch = make_int_batch({10, 11, 12, 13, 14, 15});
  EXPECT_EQ(read_column(batch.slice(2, 4).slice(1, 2)), (Values{13, 14}));
  EXPECT_EQ(batch.slice(6, 0).rows(), 0);
}

TEST(Batch, exports_the_same_bytes_and_not_a_copy) {
  ArrowArray array = make_int_array({{7, 8, 9}});
  const void* data = array.children[0]->buffers[1];
  ArrowArray out{};
  Batch::adopt(array).slice(1, 2).export_to(out);
  EXPECT_EQ(out.children[0]->buffers[1], data);
  EXPECT_EQ(out.offset, 0) << "pyarrow imports no record batch with an offset of its own";
  EXPECT_EQ(out.children[0]->offset, 1);
  out.release(&out);
}

TEST(Batch, respects_an_offset_that_the_maker_gave_the_whole_array) {
  ArrowArray array = make_int_array({{0, 1, 2, 3}});
  array.offset = 2;
  array.length = 2;
  EXPECT_EQ(read_column(Batch::adopt(array)), (Values{2, 3}));
}

TEST(Batch, selects_columns_in_any_order_and_more_than_once) {
  ArrowArray array = make_int_array({{1}, {2}, {3}});
  const Batch picked = Batch::adopt(array).select(std::vector{2, 0, 2});
  EXPECT_EQ(picked.columns(), 3);
  EXPECT_EQ(read_column(picked, 0), (Values{3}));
  EXPECT_EQ(read_column(picked, 1), (Values{1}));
  EXPECT_EQ(read_column(picked, 2), (Values{3}));
}

TEST(Batch, a_child_that_was_moved_out_outlives_the_exported_root) {
  ASSERT_EQ(live_batches, 0);
  ArrowArray root{};
  make_int_batch({5, 6}).export_to(root);
  ArrowArray child = *root.children[0];
  root.children[0]->release = nullptr;  // moved, as the interface defines it
  root.release(&root);
  EXPECT_EQ(live_batches, 1);
  EXPECT_EQ(static_cast<const std::int64_t*>(child.buffers[1])[1], 6);
  child.release(&child);
  EXPECT_EQ(live_batches, 0);
}

TEST(Batch, does_not_claim_a_null_count_that_a_cut_may_have_changed) {
  ArrowArray some = make_int_array({{1, 2, 3}});
  some.children[0]->null_count = 1;
  ArrowArray all = make_int_array({{1, 2, 3}});
  all.children[0]->null_count = 3;
  ArrowArray out{};
  Batch::adopt(some).slice(0, 2).export_to(out);
  EXPECT_EQ(out.children[0]->null_count, -1);
  out.release(&out);
  Batch::adopt(all).slice(0, 2).export_to(out);
  EXPECT_EQ(out.children[0]->null_count, 2);
  out.release(&out);
}

TEST(Batch, refuses_rows_that_are_null_and_arrays_that_are_gone) {
  ArrowArray nulls = make_int_array({{1, 2}});
  nulls.null_count = 1;
  EXPECT_THROW((void)Batch::adopt(nulls), std::invalid_argument);
  ArrowArray gone{};
  EXPECT_THROW((void)Batch::adopt(gone), std::invalid_argument);
  EXPECT_EQ(live_batches, 0) << "a refused array is still given back";
}

}  // namespace
}  // namespace penstock
