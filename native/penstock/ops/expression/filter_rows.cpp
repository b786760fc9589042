#include "penstock/ops/expression/filter_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/expression/failure.hpp"

namespace penstock::ops::expression {

namespace {

// Appends the rows that pass. Every row is written, and counts only if it does: a branch that is
// hard to foresee would cost more.
std::size_t append_passing(const Vec& mask, std::int64_t first, std::int64_t rows,
                           std::int32_t* chosen) {
  const auto* passes = mask.as<std::uint8_t>();
  // Where nothing is null, what is true is also there.
  const auto* valid = mask.valid == nullptr ? passes : mask.valid;
  std::size_t count = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    chosen[count] = static_cast<std::int32_t>(first + i);
    count += passes[i] & valid[i];
  }
  return count;
}

}  // namespace

FilterRows::FilterRows(const tuple::Schema& input, const std::vector<Instruction>& instructions,
                       int mask)
    : gatherer_(input), program_(tuple::read_fields(input), instructions), mask_(mask) {
  if (program_.type(mask_) != Type::kBool) {
    throw std::invalid_argument("a filter needs an expression that is true or false");
  }
}

void FilterRows::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  const std::int64_t rows = tuple.batch.rows();
  if (rows > std::numeric_limits<std::int32_t>::max()) {
    throw std::length_error("a tuple of " + std::to_string(rows) + " rows cannot be filtered");
  }
  thread_local std::vector<std::int32_t> chosen;
  chosen.resize(static_cast<std::size_t>(rows));
  std::size_t count = 0;
  Program::Outcome outcome;
  for (std::int64_t first = 0; first < rows && !outcome.problem; first += kBlockRows) {
    Registers& registers = Registers::here();
    outcome = program_.run(tuple.batch, first, std::min(kBlockRows, rows - first), registers);
    count += append_passing(registers.at(mask_), first, outcome.rows, chosen.data() + count);
    if (outcome.problem) outcome.problem->row += first;
  }
  if (count > 0) {
    const auto passing = std::span<const std::int32_t>(chosen).first(count);
    output.emit_rows(gatherer_.take(tuple.batch, passing), passing, 0);
  }
  raise(outcome);
}

}  // namespace penstock::ops::expression
