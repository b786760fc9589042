#include "penstock/ops/expression/program.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/ops/expression/arithmetic.hpp"
#include "penstock/ops/expression/bytes.hpp"
#include "penstock/ops/expression/cast.hpp"
#include "penstock/ops/expression/comparison.hpp"
#include "penstock/ops/expression/logic.hpp"

namespace penstock::ops::expression {

namespace {

constexpr std::array<std::uint8_t, kBlockRows> kNoneValid{};

std::invalid_argument refused(const Instruction& instruction, const std::string& why) {
  return std::invalid_argument("instruction '" + instruction.word + "' of an expression " + why);
}

// How many arguments a word takes, if it is one of those that take other than two.
std::size_t arguments_of(std::string_view word) noexcept {
  if (word == "if_else") return 3;
  for (const std::string_view unary : {"cast", "negate", "negate_checked", "abs", "abs_checked",
                                       "is_nan", "is_null", "is_valid", "invert"}) {
    if (word == unary) return 1;
  }
  return 2;
}

}  // namespace

Program::Program(std::span<const tuple::Field> columns,
                 const std::vector<Instruction>& instructions) {
  steps_.reserve(instructions.size());
  for (const Instruction& instruction : instructions) add(columns, instruction);
}

Type Program::type(int line) const {
  if (line < 0 || std::cmp_greater_equal(line, steps_.size())) {
    throw std::invalid_argument("line " + std::to_string(line) + " of an expression of " +
                                std::to_string(steps_.size()) + " lines does not exist");
  }
  return steps_[static_cast<std::size_t>(line)].type;
}

void Program::add(std::span<const tuple::Field> columns, const Instruction& instruction) {
  Step step{.type = type_of(instruction.type)};
  if (instruction.word == "literal") {
    add_literal(instruction, step);
  } else if (instruction.word != "column") {
    add_call(instruction, step);
  } else {
    if (instruction.args.size() == 1) step.column = instruction.args[0];
    if (step.column < 0 || std::cmp_greater_equal(step.column, columns.size())) {
      throw refused(instruction, "names no column of the rows");
    }
    const tuple::Field& field = columns[static_cast<std::size_t>(step.column)];
    if (!stores(field, step.type)) {
      throw refused(instruction,
                    "reads " + tuple::describe(field) + " as '" + instruction.type + "'");
    }
  }
  steps_.push_back(std::move(step));
}

void Program::add_literal(const Instruction& instruction, Step& step) {
  step.null = !instruction.bits.has_value();
  const auto width = static_cast<std::size_t>(width_of(step.type));
  const std::uint64_t bits = instruction.bits.value_or(0);
  step.literal.resize(width * kBlockRows);
  for (std::size_t at = 0; at < step.literal.size(); at += width) {
    std::memcpy(step.literal.data() + at, &bits, width);
  }
}

void Program::add_call(const Instruction& instruction, Step& step) const {
  const std::string& word = instruction.word;
  if (instruction.args.size() != arguments_of(word)) {
    throw refused(instruction,
                  "cannot take " + std::to_string(instruction.args.size()) + " arguments");
  }
  const Type of_first = type(instruction.args.front());
  const Type given = type(instruction.args.back());
  for (std::size_t i = 1; i < instruction.args.size(); ++i) {
    const bool condition = word == "if_else" && i == 1;
    if (type(instruction.args[i]) != given || (!condition && i == 1 && of_first != given)) {
      throw refused(instruction, "needs arguments of one type");
    }
  }
  if (word == "if_else" && of_first != Type::kBool) throw refused(instruction, "needs a condition");
  step.kernel = comparison(word, given);
  const bool asks = step.kernel || word == "is_null" || word == "is_valid";
  Type made = asks ? Type::kBool : given;
  if (word == "cast") {
    step.kernel = cast(given, step.type);
    made = step.type;
  }
  if (!step.kernel) step.kernel = arithmetic(word, given);
  if (!step.kernel) step.kernel = logic(word, given);
  if (!step.kernel) throw refused(instruction, "is not known for such values");
  if (made != step.type) throw refused(instruction, "makes no '" + instruction.type + "'");
  step.args = instruction.args;
}

Program::Outcome Program::run(const tuple::Batch& batch, std::int64_t first, std::int64_t count,
                              Registers& registers) const {
  PENSTOCK_CHECK(count <= kBlockRows, "an expression is worked out block by block");
  Outcome outcome{.rows = count};
  registers.reserve(steps_.size());
  for (std::size_t line = 0; line < steps_.size(); ++line) {
    const Step& step = steps_[line];
    Made made = registers.room(line);
    if (!step.kernel) {
      load(step, batch, first, count, made);
    } else {
      std::array<Vec, kMostArguments> room;
      for (std::size_t i = 0; i < step.args.size(); ++i) room[i] = registers.at(step.args[i]);
      const auto args = std::span(room).first(step.args.size());
      if (step.kernel.propagates) propagate(args, outcome.rows, made);
      if (!step.kernel.run(args, outcome.rows, made)) {
        // The lines behind it may fail at an earlier row, but what is behind this row is lost.
        if (auto problem = step.kernel.find(args, outcome.rows, made.valid)) {
          outcome = {.rows = problem->row, .problem = std::move(problem)};
        }
      }
    }
    registers.put(line, {.values = made.values, .valid = made.valid});
  }
  return outcome;
}

void Program::load(const Step& step, const tuple::Batch& batch, std::int64_t first,
                   std::int64_t count, Made& made) {
  if (step.column < 0) {
    // Nobody writes to it: only what is made is written.
    made.values = const_cast<std::byte*>(step.literal.data());  // NOLINT(*-const-cast)
    if (step.null) made.valid = kNoneValid.data();
    return;
  }
  const tuple::ColumnSlice column = batch.column(step.column);
  const std::int64_t offset = column.offset + first;
  if (column.array->null_count != 0 && column.array->buffers[0] != nullptr) {
    spread_bits(column.array->buffers[0], offset, count, made.valid_room);
    made.valid = made.valid_room;
  }
  const auto* values = static_cast<const std::byte*>(column.array->buffers[1]);
  if (step.type == Type::kBool) {
    spread_bits(values, offset, count, made.as<std::uint8_t>());
  } else {
    made.values = const_cast<std::byte*>(values + (offset * width_of(step.type)));  // NOLINT
  }
}

void Program::propagate(std::span<const Vec> args, std::int64_t rows, Made& made) {
  for (const Vec& arg : args) {
    if (arg.valid == nullptr || arg.valid == made.valid) continue;
    if (made.valid == nullptr) {
      made.valid = arg.valid;
      continue;
    }
    const auto* one = made.valid;
    const auto* other = arg.valid;
    auto* both = made.valid_room;
    for (std::int64_t i = 0; i < rows; ++i) both[i] = static_cast<std::uint8_t>(one[i] & other[i]);
    made.valid = both;
  }
}

}  // namespace penstock::ops::expression
