#include "penstock/ops/compiled/readable.hpp"

#include <gtest/gtest.h>
#include <string>

namespace penstock {
namespace {

using ops::readable;

TEST(Readable, leaves_text_as_it_is) {
  const std::string text = "a \u00e9 \u20ac \U0001F600 \U0010FFFF";
  EXPECT_EQ(readable(text), text);
  EXPECT_EQ(readable(""), "");
}

TEST(Readable, puts_a_question_mark_for_each_byte_that_is_no_text) {
  EXPECT_EQ(readable("ab\xe2\x82"), "ab??") << "cut off within a character";
  EXPECT_EQ(readable("\xff"
                     "a\x80"),
            "?a?");
  EXPECT_EQ(readable("\xc0\xaf"), "??") << "longer than it must be";
  EXPECT_EQ(readable("\xe0\x80\xaf"), "???");
  EXPECT_EQ(readable("\xed\xa0\x80"), "???") << "half of a pair";
  EXPECT_EQ(readable("\xf4\x90\x80\x80"), "????") << "beyond the last character";
}

}  // namespace
}  // namespace penstock
