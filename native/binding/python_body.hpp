#pragma once

#include <pybind11/pybind11.h>

#include "penstock/ops/batch_function.hpp"

namespace penstock::binding {

// A Python callable as the body of an operator: `body(in_address, out_address) -> rows`.
//
// It takes the array at the first address over, may export one batch to the second, and returns
// how many rows that has. Addresses, because this is the form every pyarrow imports and exports.
[[nodiscard]] ops::BatchFunction::Function python_body(pybind11::function body);

}  // namespace penstock::binding
