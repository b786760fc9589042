#pragma once

#include <exception>
#include <string>

#include "penstock/tuple/tuple.hpp"

namespace penstock::engine {

// In place of an operator, when the flow was interrupted while it waited for one.
inline constexpr int kNoOperator = -1;

// An operator's own exception, and where it happened.
struct OperatorFailure {
  int node = 0;
  tuple::RowRange rows;  // of the partition; one row when it is known exactly
  std::exception_ptr cause;
  bool interrupted = false;  // the cause says nothing about the rows
  // What its run makes is of the rows before it only, and is good.
  bool after_good_rows = false;
  std::string inner;  // the operator's name, where the node stands for several
};

}  // namespace penstock::engine
