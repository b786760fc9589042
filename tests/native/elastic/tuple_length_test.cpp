#include "penstock/elastic/tuple_length.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <limits>

namespace penstock {
namespace {

using elastic::TupleLength;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

TEST(TupleLength, begins_with_a_length_that_tells_soon_what_rows_cost) {
  const TupleLength length;
  EXPECT_EQ(length.share_of(TupleLength::kFirst), TupleLength::kFirst);
  EXPECT_EQ(length.share_of(10 * TupleLength::kFirst), TupleLength::kFirst);
}

TEST(TupleLength, rows_that_cost_much_are_cut_short) {
  TupleLength length;
  length.took(1'024, 1'024 * microseconds(20));
  EXPECT_EQ(length.share_of(10'000), 100) << "100 rows of 20 us are 2 ms";
}

TEST(TupleLength, rows_that_cost_little_stay_together) {
  TupleLength length;
  length.took(1'024, 1'024 * nanoseconds(10));
  EXPECT_EQ(length.share_of(10'000), 10'000);
  EXPECT_EQ(length.share_of(150'000), 150'000);
}

TEST(TupleLength, goes_by_what_was_told_last) {
  TupleLength length;
  length.took(1'000, 1'000 * microseconds(20));
  length.took(100, 100 * microseconds(2));
  EXPECT_EQ(length.share_of(10'000), 1'000);
}

TEST(TupleLength, a_batch_is_shared_out_evenly) {
  TupleLength length;
  length.took(1'000, 1'000 * microseconds(2));
  EXPECT_EQ(length.share_of(1'001), 501) << "and not 1,000 and one";
  EXPECT_EQ(length.share_of(500), 500);
  EXPECT_EQ(length.share_of(2'999), 1'000);
}

TEST(TupleLength, stays_within_bounds_whatever_is_told) {
  TupleLength length;
  length.took(1, std::chrono::hours(1));
  EXPECT_EQ(length.share_of(1'600), TupleLength::kLeast);
  length.took(std::numeric_limits<std::int64_t>::max(), nanoseconds(1));
  EXPECT_EQ(length.share_of(1'000'000'000), 1'000'000'000);
}

TEST(TupleLength, what_says_nothing_changes_nothing) {
  TupleLength length;
  length.took(0, microseconds(5));
  length.took(10, nanoseconds(0));
  EXPECT_EQ(length.share_of(100 * TupleLength::kFirst), TupleLength::kFirst);
}

}  // namespace
}  // namespace penstock
