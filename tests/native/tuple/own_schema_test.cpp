#include "penstock/tuple/own_schema.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace penstock {
namespace {

const std::vector<tuple::Field> kFields{{.name = "when", .format = "tsu:UTC"},
                                        {.name = "who", .format = "u"}};

TEST(OwnSchema, reads_as_the_fields_it_was_made_of) {
  const auto fields = tuple::read_fields(tuple::make_schema(kFields));
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].name, "when");
  EXPECT_EQ(fields[0].format, "tsu:UTC");
  EXPECT_EQ(fields[0].width, 8);
  EXPECT_EQ(fields[1].name, "who");
  EXPECT_EQ(fields[1].kind, tuple::Kind::kBytes);
  EXPECT_TRUE(tuple::read_fields(tuple::make_schema({})).empty());
}

TEST(OwnSchema, an_export_outlives_it) {
  ArrowSchema exported{};
  tuple::make_schema(kFields).export_to(exported);
  EXPECT_EQ(std::string(exported.children[1]->name), "who");
  EXPECT_EQ(exported.children[1]->flags, 2) << "it may be null";
  exported.release(&exported);
}

TEST(OwnSchema, a_column_that_was_moved_out_outlives_the_rest) {
  auto schema = std::make_optional(tuple::make_schema(kFields));
  ArrowSchema moved = *schema->arrow().children[0];
  schema->arrow().children[0]->release = nullptr;
  schema.reset();
  EXPECT_EQ(std::string(moved.name), "when");
  moved.release(&moved);
}

}  // namespace
}  // namespace penstock
