#include "penstock/tuple/field.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/arrow_columns.hpp"

namespace penstock {
namespace {

using support::make_schema;
using support::Type;
using tuple::Field;
using tuple::Kind;

Field read(const Type& type) { return tuple::read_fields(make_schema({type}))[0]; }

TEST(Field, knows_how_the_values_of_a_type_lie_in_memory) {
  struct Known {
    const char* format;
    Kind kind;
    std::int64_t width;
  };
  const std::vector<Known> all{{"n", Kind::kNull, 0},
                               {"b", Kind::kBool, 0},
                               {"c", Kind::kSigned, 1},
                               {"L", Kind::kUnsigned, 8},
                               {"e", Kind::kFloat, 2},
                               {"u", Kind::kBytes, 0},
                               {"U", Kind::kLargeBytes, 0},
                               {"vu", Kind::kBytesView, 16},
                               {"w:42", Kind::kFixedBytes, 42},
                               {"d:38,10", Kind::kDecimal, 16},
                               {"d:9,2,32", Kind::kDecimal, 4},
                               {"d:76,0,256", Kind::kDecimal, 32},
                               {"tdD", Kind::kSigned, 4},
                               {"tsu:Europe/Vienna", Kind::kSigned, 8},
                               {"tDu", Kind::kSigned, 8},
                               {"tiM", Kind::kSigned, 4},
                               {"tin", Kind::kFixedBytes, 16},
                               {"tiD", Kind::kFixedBytes, 8},
                               {"+vl", Kind::kOther, 0},
                               {"+us:0,1", Kind::kOther, 0},
                               {"+r", Kind::kOther, 0},
                               {"ll", Kind::kOther, 0},
                               {"", Kind::kOther, 0}};
  for (const auto& [format, kind, width] : all) {
    const Field field = read({.format = format});
    EXPECT_EQ(field.kind, kind) << format;
    EXPECT_EQ(field.width, width) << format;
  }
}

TEST(Field, reads_what_is_inside_a_column) {
  const Type word{.format = "u", .name = "word"};
  const Field list = read({.format = "+w:3", .children = {word}, .name = "words"});
  EXPECT_EQ(list.kind, Kind::kFixedList);
  EXPECT_EQ(list.width, 3);
  ASSERT_EQ(list.children.size(), 1U);
  EXPECT_EQ(list.children[0].name, "word");
  const Field coded = read({.format = "s", .dictionary = {word}, .name = "coded"});
  EXPECT_EQ(coded.width, 2);
  ASSERT_EQ(coded.dictionary.size(), 1U);
  EXPECT_EQ(coded.dictionary[0].kind, Kind::kBytes);
}

TEST(Field, is_described_by_name_and_type) {
  EXPECT_EQ(describe(read({.format = "+l", .children = {{.format = "l"}}, .name = "tags"})),
            "'tags' of type list (Arrow format \"+l\")");
  EXPECT_EQ(describe(read({.format = "i", .dictionary = {{.format = "u"}}, .name = "code"})),
            "'code' of type dictionary (Arrow format \"i\")");
  EXPECT_EQ(describe(read({.format = "?", .name = "odd"})),
            "'odd' of type unknown (Arrow format \"?\")");
}

TEST(Field, refuses_a_malformed_width_and_a_schema_that_is_no_struct) {
  EXPECT_THROW((void)read({.format = "w:4x"}), std::invalid_argument);
  EXPECT_THROW((void)read({.format = "+w:-1"}), std::invalid_argument);
  EXPECT_THROW((void)read({.format = "d:9,2,"}), std::invalid_argument);
  ArrowSchema number = support::make_schema_node({.format = "l"});
  EXPECT_THROW((void)tuple::read_fields(tuple::Schema(number)), std::invalid_argument);
}

}  // namespace
}  // namespace penstock
