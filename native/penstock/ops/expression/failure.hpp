#pragma once

#include <exception>
#include <stdexcept>

#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/expression/program.hpp"

namespace penstock::ops::expression {

// Once the rows before it have been emitted.
inline void raise(const Program::Outcome& outcome) {
  if (!outcome.problem) return;
  throw graph::FailedAtRow(outcome.problem->row,
                           std::make_exception_ptr(std::runtime_error(outcome.problem->why)));
}

}  // namespace penstock::ops::expression
