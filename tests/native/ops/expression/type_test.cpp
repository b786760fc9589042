#include "penstock/ops/expression/type.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace penstock::ops::expression {
namespace {

TEST(Type, is_known_by_its_letter) {
  EXPECT_EQ(type_of("b"), Type::kBool);
  EXPECT_EQ(type_of("c"), Type::kInt8);
  EXPECT_EQ(type_of("L"), Type::kUInt64);
  EXPECT_EQ(type_of("g"), Type::kFloat64);
  for (const auto* letter : {"", "e", "cs", "u"}) {
    EXPECT_THROW(static_cast<void>(type_of(letter)), std::invalid_argument) << letter;
  }
}

TEST(Type, has_the_width_of_its_values_in_a_block) {
  EXPECT_EQ(width_of(Type::kBool), 1);
  EXPECT_EQ(width_of(Type::kInt16), 2);
  EXPECT_EQ(width_of(Type::kUInt32), 4);
  EXPECT_EQ(width_of(Type::kFloat64), 8);
}

TEST(Type, reads_only_columns_that_lie_in_memory_alike) {
  const tuple::Field day{.name = "day", .format = "tdD", .kind = tuple::Kind::kSigned, .width = 4};
  EXPECT_TRUE(stores(day, Type::kInt32));
  EXPECT_FALSE(stores(day, Type::kInt64));
  EXPECT_FALSE(stores(day, Type::kUInt32));
  tuple::Field encoded = day;
  encoded.dictionary.push_back(day);
  EXPECT_FALSE(stores(encoded, Type::kInt32));
  const tuple::Field flag{.name = "flag", .format = "b", .kind = tuple::Kind::kBool};
  EXPECT_TRUE(stores(flag, Type::kBool));
  EXPECT_FALSE(stores(flag, Type::kUInt8));
}

}  // namespace
}  // namespace penstock::ops::expression
