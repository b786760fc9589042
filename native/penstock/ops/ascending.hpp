#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#include "penstock/graph/row_failure.hpp"

namespace penstock::ops {

// Thrown at a row before whose time a later one of its key came.
[[noreturn]] inline void fail_descending(const std::string& column, std::int64_t row) {
  throw graph::FailedAtRow(row, std::make_exception_ptr(std::invalid_argument(
                                    "column '" + column +
                                    "' descends here, and must not within the rows of one key: "
                                    "sort the input by it before, as in df.sortWithinPartitions")));
}

inline void check_ascends(std::int64_t latest, std::int64_t time, const std::string& column,
                          std::int64_t row) {
  if (time < latest) fail_descending(column, row);
}

}  // namespace penstock::ops
