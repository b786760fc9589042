#include "penstock/ops/parse.hpp"

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "penstock/graph/row_failure.hpp"

#include "ops/keeping.hpp"

namespace penstock {
namespace {

using ops::Parse;
using support::null_value;
using support::number;
using support::text;
using support::Type;
using support::Values;

const std::vector<Type> kTypes{{.format = "u", .name = "line"}};
const std::vector<Type> kMade{{.format = "u"}, {.format = "u"}, {.format = "i"}};

Parse over(Parse::Mismatch mismatch) {
  return Parse(support::make_schema(kTypes),
               {.literals = {"", "=", " ", ""},
                .pieces = {{}, {.type = Parse::Type::kInt}, {.type = Parse::Type::kSkip}},
                .mismatch = mismatch});
}

Values column(Parse& parse, const Values& lines, std::size_t column) {
  support::KeptColumn output(kMade, column);
  parse.process(support::tuple_of(kTypes, {lines}), 0, output);
  return output.values;
}

const Values kLines{text("a=1 x"), text("b=x y"), null_value(), text("c=3 ")};

TEST(Parse, a_line_that_does_not_match_has_null_in_all_fields) {
  auto parse = over(Parse::Mismatch::kNull);
  EXPECT_EQ(column(parse, kLines, 0), kLines);
  EXPECT_EQ(column(parse, kLines, 1), (Values{text("a"), null_value(), null_value(), text("c")}));
  EXPECT_EQ(column(parse, kLines, 2), (Values{number(1), null_value(), null_value(), number(3)}));
}

TEST(Parse, or_is_dropped) {
  auto parse = over(Parse::Mismatch::kDrop);
  EXPECT_EQ(column(parse, kLines, 0), (Values{kLines[0], kLines[3]}));
  EXPECT_EQ(column(parse, kLines, 2), (Values{number(1), number(3)}));
}

TEST(Parse, or_fails_after_the_rows_before_it) {
  auto parse = over(Parse::Mismatch::kError);
  support::KeptColumn output(kMade, 1);
  try {
    parse.process(support::tuple_of(kTypes, {kLines}), 0, output);
    FAIL();
  } catch (const graph::FailedAtRow& failed) {
    EXPECT_EQ(failed.row(), 1);
  }
  EXPECT_EQ(output.values, Values{text("a")});
}

TEST(Parse, a_column_that_is_no_text_is_named) {
  const std::vector<Type> types{{.format = "l", .name = "n"}};
  try {
    const Parse refused(support::make_schema(types), {.literals = {"", ""}, .pieces = {{}}});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'n'"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace penstock
