#include "penstock/ops/text_template.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace penstock {
namespace {

using ops::TextTemplate;
using Fields = std::vector<std::string_view>;

TEST(TextTemplate, a_field_goes_up_to_the_first_place_of_the_text_behind_it) {
  const TextTemplate made({"", " from ", " port ", ""});
  Fields fields;
  ASSERT_TRUE(made.match("me from a from b port 22 port 23", fields));
  EXPECT_EQ(fields, (Fields{"me", "a from b", "22 port 23"}));
  EXPECT_FALSE(made.match("me from a", fields));
  EXPECT_FALSE(made.match("", fields));
}

TEST(TextTemplate, the_last_field_goes_up_to_what_ends_the_line) {
  const TextTemplate made({"<", ">"});
  Fields fields;
  ASSERT_TRUE(made.match("<a>b>", fields));
  EXPECT_EQ(fields, Fields{"a>b"});
  ASSERT_TRUE(made.match("<>", fields));
  EXPECT_EQ(fields, Fields{""});
  EXPECT_FALSE(made.match("<a", fields));
  EXPECT_FALSE(made.match("a>", fields));
}

TEST(TextTemplate, one_piece_of_the_line_is_not_used_twice) {
  const TextTemplate made({"aa", "aa"});
  Fields fields;
  EXPECT_FALSE(made.match("aaa", fields));
  EXPECT_TRUE(made.match("aaaa", fields));
}

TEST(TextTemplate, fields_without_text_between_them_are_refused) {
  EXPECT_THROW(TextTemplate({"", "", ""}), std::invalid_argument);
  EXPECT_THROW(TextTemplate({"text"}), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
