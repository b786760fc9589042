#include "penstock/tuple/own_array.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>

#include "support/int_batch.hpp"

namespace penstock::tuple {
namespace {

ArrowArray make_numbers(std::int64_t first) {
  OwnArray array(2);
  array.skip_buffer();
  auto* values = array.add_buffer<std::int64_t>(2);
  values[0] = first;
  values[1] = first + 1;
  return std::move(array).finish(0);
}

TEST(OwnArray, has_the_buffers_in_the_order_in_which_they_were_added) {
  ArrowArray array = make_numbers(5);
  EXPECT_EQ(array.length, 2);
  ASSERT_EQ(array.n_buffers, 2);
  EXPECT_EQ(array.buffers[0], nullptr);
  EXPECT_EQ(static_cast<const std::int64_t*>(array.buffers[1])[1], 6);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.buffers[1]) % 64, 0U);
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
}

TEST(OwnArray, an_empty_buffer_has_an_address_too) {
  OwnArray array(0);
  EXPECT_NE(array.add_buffer<std::int32_t>(0), nullptr);
}

TEST(OwnArray, a_child_that_was_moved_out_outlives_the_rest) {
  OwnArray made(2);
  made.skip_buffer();
  made.add_child(make_numbers(1));
  made.add_child(make_numbers(7));
  made.set_dictionary(make_numbers(9));
  ArrowArray root = std::move(made).finish(0);
  ASSERT_EQ(root.n_children, 2);
  EXPECT_EQ(static_cast<const std::int64_t*>(root.dictionary->buffers[1])[0], 9);
  ArrowArray child = *root.children[1];
  root.children[1]->release = nullptr;  // moved, as the interface defines it
  root.release(&root);
  EXPECT_EQ(static_cast<const std::int64_t*>(child.buffers[1])[0], 7);
  child.release(&child);
}

TEST(OwnArray, what_was_borrowed_keeps_its_owner_alive) {
  ASSERT_EQ(support::live_batches, 0);
  ArrowArray borrowed{};
  {
    const Batch batch = support::make_int_batch({3, 4});
    borrowed = OwnArray::borrow(*batch.column(0).array, batch);
  }
  EXPECT_EQ(support::live_batches, 1);
  EXPECT_EQ(static_cast<const std::int64_t*>(borrowed.buffers[1])[1], 4);
  borrowed.release(&borrowed);
  EXPECT_EQ(support::live_batches, 0);
}

}  // namespace
}  // namespace penstock::tuple
