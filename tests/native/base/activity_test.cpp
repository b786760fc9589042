#include "penstock/base/activity.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace penstock::base {
namespace {

TEST(activity, is_known_from_its_beginning_to_its_end) {
  EXPECT_EQ(Activity::now(), nullptr);
  {
    const Activity activity("logins", "parse", {.first = 7, .count = 3});
    ASSERT_EQ(Activity::now(), &activity);
    EXPECT_EQ(std::string(Activity::now()->flow()), "logins");
    EXPECT_EQ(std::string(Activity::now()->name()), "parse");
    EXPECT_EQ(Activity::now()->rows().first, 7);
  }
  EXPECT_EQ(Activity::now(), nullptr);
}

TEST(activity, inside_another_one_is_of_its_flow_and_rows) {
  const Activity outer("logins", "region", {.first = 7, .count = 3});
  {
    const Activity inner("parse");
    EXPECT_EQ(std::string(Activity::now()->name()), "parse");
    EXPECT_EQ(std::string(Activity::now()->flow()), "logins");
    EXPECT_EQ(Activity::now()->rows().count, 3);
  }
  EXPECT_EQ(std::string(Activity::now()->name()), "region");
}

TEST(activity, is_of_one_thread) {
  const Activity activity("logins", "parse", {});
  const Activity* seen = &activity;
  std::thread([&seen] { seen = Activity::now(); }).join();
  EXPECT_EQ(seen, nullptr);
}

}  // namespace
}  // namespace penstock::base
