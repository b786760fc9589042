#include "penstock/ops/time_format.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace penstock {
namespace {

using ops::TimeFormat;

constexpr std::int64_t kSecond = 1'000'000;

TEST(TimeFormat, counts_microseconds_since_1970) {
  const TimeFormat format("%Y-%m-%d %H:%M:%S.%f");
  EXPECT_EQ(format.parse("1970-01-02 00:00:01.5"), 86401 * kSecond + 500'000);
  EXPECT_EQ(format.parse("1969-12-31 23:59:59.999999"), -1);
}

TEST(TimeFormat, a_zone_says_how_far_east_the_clock_is) {
  const TimeFormat format("%d/%b/%Y %H:%M%z");
  EXPECT_EQ(format.parse("01/JAN/1970 01:00+0100"), 0);
  EXPECT_EQ(format.parse("01/jan/1970 00:00-00:30"), 1800 * kSecond);
  EXPECT_EQ(format.parse("01/Jan/1970 00:00Z"), 0);
}

TEST(TimeFormat, what_is_no_time_is_none) {
  const TimeFormat format("%Y-%m-%d");
  for (const char* text : {"", "1970", "1970-13-01", "1970-02-30", "0000-01-01", "1970-01-01 ",
                           "1970-01-011", "x970-01-01"}) {
    EXPECT_FALSE(format.parse(text).has_value()) << text;
  }
  const TimeFormat clock("%Y%m%d%H%M%S");
  EXPECT_EQ(clock.parse("19700101000001"), kSecond);
  for (const char* text : {"19700101240000", "19700101006000", "19700101000060"}) {
    EXPECT_FALSE(clock.parse(text).has_value()) << text;
  }
}

TEST(TimeFormat, a_format_that_tells_no_day_is_refused) {
  for (const char* format : {"", "%H:%M", "%Y-%m", "%Y-%m-%d %p", "%Y-%m-%d %"}) {
    EXPECT_THROW(TimeFormat{format}, std::invalid_argument) << format;
  }
}

}  // namespace
}  // namespace penstock
