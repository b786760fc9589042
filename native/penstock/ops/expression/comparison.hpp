#pragma once

#include <string_view>

#include "penstock/ops/expression/kernel.hpp"
#include "penstock/ops/expression/type.hpp"

namespace penstock::ops::expression {

// Arrow's comparisons of two values of one type (equal, not_equal, less, less_equal, greater,
// greater_equal), and is_nan. No kernel for any other word.
[[nodiscard]] Kernel comparison(std::string_view word, Type type);

}  // namespace penstock::ops::expression
