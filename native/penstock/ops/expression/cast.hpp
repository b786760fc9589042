#pragma once

#include "penstock/ops/expression/kernel.hpp"
#include "penstock/ops/expression/type.hpp"

namespace penstock::ops::expression {

// Arrow's safe cast between numbers: what the other type cannot hold exactly fails, except that
// fewer digits of a fraction are kept without a word. No kernel from or to booleans.
[[nodiscard]] Kernel cast(Type from, Type to);

}  // namespace penstock::ops::expression
