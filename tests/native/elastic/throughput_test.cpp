#include "penstock/elastic/throughput.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

namespace penstock {
namespace {

using elastic::check_throughput;
using elastic::number;

TEST(Throughput, is_finite_and_not_negative) {
  EXPECT_NO_THROW(check_throughput(0));
  EXPECT_NO_THROW(check_throughput(1e12));
  EXPECT_THROW(check_throughput(-1), std::invalid_argument);
  EXPECT_THROW(check_throughput(std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  EXPECT_THROW(check_throughput(std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST(Throughput, is_written_with_four_digits) {
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(2800), "2800");
  EXPECT_EQ(number(1234.56), "1235");
}

}  // namespace
}  // namespace penstock
