#pragma once

#include <cstddef>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

// One of the columns of `batch`, which it keeps alive.
[[nodiscard]] ArrowArray borrow_column(const Batch& batch, int position);

// A batch in the making: the columns of `batch` as they are, to which others can be added: so many.
[[nodiscard]] OwnArray begin_with(const Batch& batch, std::size_t others = 0);

}  // namespace penstock::tuple
