#pragma once

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

// A batch in the making: the columns of `batch` as they are, to which others can be added.
[[nodiscard]] OwnArray begin_with(const Batch& batch);

}  // namespace penstock::tuple
