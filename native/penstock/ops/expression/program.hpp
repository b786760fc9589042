#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "penstock/ops/expression/instruction.hpp"
#include "penstock/ops/expression/kernel.hpp"
#include "penstock/ops/expression/registers.hpp"
#include "penstock/ops/expression/type.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops::expression {

// Expressions over the columns of a batch, as a list of instructions. All of them are worked out
// for every row, as Arrow does it: a division by zero fails also where its result is not chosen.
//
// Immutable after construction: threads may share one.
class Program {
 public:
  // Throws std::invalid_argument for what does not fit together or is not known.
  Program(std::span<const tuple::Field> columns, const std::vector<Instruction>& instructions);

  [[nodiscard]] Type type(int line) const;

  // What became of a block. If a row has no result, only those before it were worked out.
  struct Outcome {
    std::int64_t rows = 0;
    std::optional<Problem> problem;
  };
  // Works on `count` rows of the batch, at most kBlockRows, from row `first` on.
  [[nodiscard]] Outcome run(const tuple::Batch& batch, std::int64_t first, std::int64_t count,
                            Registers& registers) const;

 private:
  static constexpr std::size_t kMostArguments = 3;

  struct Step {
    Type type = Type::kBool;
    Kernel kernel;    // none for a column or a literal
    int column = -1;  // none for a literal
    std::vector<int> args;
    std::vector<std::byte> literal;  // a block of it
    bool null = false;
  };

  void add(std::span<const tuple::Field> columns, const Instruction& instruction);
  static void add_literal(const Instruction& instruction, Step& step);
  void add_call(const Instruction& instruction, Step& step) const;
  static void load(const Step& step, const tuple::Batch& batch, std::int64_t first,
                   std::int64_t count, Made& made);
  static void propagate(std::span<const Vec> args, std::int64_t rows, Made& made);

  std::vector<Step> steps_;
};

}  // namespace penstock::ops::expression
