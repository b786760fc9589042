#pragma once

#include <string_view>

#include "penstock/ops/expression/kernel.hpp"
#include "penstock/ops/expression/type.hpp"

namespace penstock::ops::expression {

// Arrow's logic of booleans (xor, invert, and_kleene, or_kleene), what is null (is_null,
// is_valid), and choices between values of one type (if_else, coalesce of two). `type` is that of
// the values; no kernel for any other word, and none for logic of numbers.
[[nodiscard]] Kernel logic(std::string_view word, Type type);

}  // namespace penstock::ops::expression
