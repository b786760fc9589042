#pragma once

#include <cstdint>

#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// Which rows of the partition something came from, counted from the partition's first row.
struct RowRange {
  std::int64_t first = 0;
  std::int64_t count = 0;

  [[nodiscard]] std::int64_t last() const noexcept { return first + count - 1; }
};

// The unit that moves between operators: a run of rows and where in the input it began.
struct Tuple {
  Batch batch;
  RowRange origin;
};

}  // namespace penstock::tuple
