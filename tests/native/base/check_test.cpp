#include "penstock/base/check.hpp"

#include <gtest/gtest.h>

namespace penstock::base {
namespace {

TEST(check, a_true_condition_is_evaluated_once_and_passes) {
  int evaluated = 0;
  PENSTOCK_CHECK(++evaluated == 1, "Counting works.");
  EXPECT_EQ(evaluated, 1);
}

TEST(check, a_false_condition_aborts_with_place_sentence_and_condition) {
  EXPECT_DEATH(PENSTOCK_CHECK(1 > 2, "One is more than two."),
               "check_test.cpp:[0-9]+: One is more than two. \\[1 > 2\\]");
}

TEST(check, the_process_aborts_even_if_the_handler_returns) {
  EXPECT_DEATH(
      {
        check_handler.store([](const char*, int, const char*) {});
        PENSTOCK_CHECK(false, "Never true.");
      },
      "");
}

}  // namespace
}  // namespace penstock::base
