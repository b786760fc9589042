#pragma once

#include <string_view>

#include "penstock/ops/expression/kernel.hpp"
#include "penstock/ops/expression/type.hpp"

namespace penstock::ops::expression {

// Arrow's arithmetic of two numbers of one type (add, subtract, multiply, divide) and of one
// (negate, abs), each also `_checked`: then what does not fit fails instead of wrapping around.
// No kernel for any other word, and none for negative numbers of unsigned types.
[[nodiscard]] Kernel arithmetic(std::string_view word, Type type);

}  // namespace penstock::ops::expression
