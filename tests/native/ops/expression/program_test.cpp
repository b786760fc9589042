#include "penstock/ops/expression/program.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

#include "ops/expression/programs.hpp"

namespace penstock::ops::expression {
namespace {

const std::vector<ColumnType> kColumns{
    {.format = "i", .name = "a"}, {.format = "i", .name = "b"}, {.format = "u", .name = "text"}};
using Lines = std::vector<Instruction>;

Program program_of(const Lines& lines) {
  return Program(tuple::read_fields(support::make_schema(kColumns)), lines);
}

Values ints(const std::vector<int>& values) {
  Values made;
  for (const int value : values) made.push_back(value < 0 ? null_value() : number(value));
  return made;
}

tuple::Batch batch_of(const std::vector<int>& a, const std::vector<int>& b,
                      std::int64_t hidden = 0) {
  return support::make_batch(kColumns, {ints(a), ints(b), Values(a.size(), support::text("t"))},
                             hidden);
}

std::string refusal(const Lines& lines) {
  try {
    program_of(lines);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Program, works_lines_out_one_after_another) {
  const Program program = program_of({column("i", 0), column("i", 1), call("add", "i", {0, 1}),
                                      literal("i", 10), call("multiply", "i", {2, 3})});
  Registers registers;
  const auto batch = batch_of({9, 1, 2, 3}, {9, 5, 6, 7}, 3);
  const auto outcome = program.run(batch, 1, 3, registers);
  EXPECT_EQ(outcome.rows, 3);
  EXPECT_FALSE(outcome.problem);
  const auto* made = registers.at(4).as<std::int32_t>();
  EXPECT_EQ(std::vector(made, made + 3), (std::vector<std::int32_t>{60, 80, 100}));
  EXPECT_EQ(registers.at(4).valid, nullptr);
}

TEST(Program, null_goes_through_what_does_not_look_at_it) {
  const Program program = program_of(
      {column("i", 0), column("i", 1), call("add", "i", {0, 1}), call("is_null", "b", {2})});
  Registers registers;
  const auto outcome = program.run(batch_of({1, -1, 3, -1}, {1, 2, -1, -1}), 0, 4, registers);
  EXPECT_EQ(outcome.rows, 4);
  const auto* made = registers.at(3).as<std::uint8_t>();
  EXPECT_EQ(std::vector(made, made + 4), (std::vector<std::uint8_t>{0, 1, 1, 1}));
  EXPECT_EQ(registers.at(3).valid, nullptr);
}

TEST(Program, a_null_literal_is_null_in_every_row) {
  const Program program =
      program_of({column("i", 0), call("literal", "i", {}), call("add_checked", "i", {0, 1})});
  Registers registers;
  ASSERT_EQ(program.run(batch_of({1, 2}, {1, 2}), 0, 2, registers).rows, 2);
  EXPECT_FALSE(registers.at(2).has(0));
  EXPECT_FALSE(registers.at(2).has(1));
}

TEST(Program, a_row_that_is_null_cannot_fail) {
  const Program program =
      program_of({column("i", 0), column("i", 1), call("divide_checked", "i", {0, 1})});
  Registers registers;
  const auto fine = program.run(batch_of({8, -1, 6}, {2, 0, 3}), 0, 3, registers);
  EXPECT_EQ(fine.rows, 3);
  const auto fails = program.run(batch_of({8, -1, 6, 1}, {2, 0, 0, 0}), 0, 4, registers);
  ASSERT_TRUE(fails.problem);
  EXPECT_EQ(fails.rows, 2);
  EXPECT_EQ(fails.problem->row, 2);
  EXPECT_EQ(fails.problem->why, "divide by zero");
}

TEST(Program, the_first_row_that_fails_counts_whichever_line_it_is) {
  const Program program =
      program_of({column("i", 0), literal("i", 2147483647), call("add_checked", "i", {0, 1}),
                  column("i", 1), call("divide_checked", "i", {0, 3})});
  Registers registers;
  const auto division_first = program.run(batch_of({0, 0, 0, 1}, {1, 0, 1, 1}), 0, 4, registers);
  EXPECT_EQ(division_first.rows, 1);
  EXPECT_EQ(division_first.problem->why, "divide by zero");
  const auto same_row = program.run(batch_of({0, 1}, {1, 0}), 0, 2, registers);
  EXPECT_EQ(same_row.rows, 1);
  EXPECT_EQ(same_row.problem->why, "overflow") << "the first line that fails at it";
}

TEST(Program, what_does_not_fit_together_is_refused) {
  EXPECT_NE(refusal({column("l", 0)}).find("reads 'a' of type int32"), std::string::npos);
  EXPECT_NE(refusal({column("i", 3)}).find("names no column"), std::string::npos);
  EXPECT_NE(refusal({column("u", 2)}).find("not with 'u'"), std::string::npos);
  EXPECT_NE(refusal({column("i", 0), call("add", "i", {0})}).find("cannot take 1 arguments"),
            std::string::npos);
  EXPECT_NE(refusal({column("i", 0), call("add", "i", {0, 1})}).find("line 1 of an expression"),
            std::string::npos);
  EXPECT_NE(
      refusal({column("i", 0), literal("l", 1L), call("add", "i", {0, 1})}).find("of one type"),
      std::string::npos);
  EXPECT_NE(refusal({column("i", 0), call("add", "l", {0, 0})}).find("makes no 'l'"),
            std::string::npos);
  EXPECT_NE(refusal({column("i", 0), call("sqrt", "i", {0, 0})}).find("is not known"),
            std::string::npos);
  EXPECT_NE(refusal({column("i", 0), call("if_else", "i", {0, 0, 0})}).find("needs a condition"),
            std::string::npos);
  EXPECT_NE(refusal({column("i", 0), literal("b", true), literal("l", 1L),
                     call("if_else", "l", {1, 0, 2})})
                .find("of one type"),
            std::string::npos);
}

}  // namespace
}  // namespace penstock::ops::expression
