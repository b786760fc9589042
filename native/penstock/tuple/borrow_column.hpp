#pragma once

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// One of the columns of `batch`, which it keeps alive.
[[nodiscard]] ArrowArray borrow_column(const Batch& batch, int position);

}  // namespace penstock::tuple
