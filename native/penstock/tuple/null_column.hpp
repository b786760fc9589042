#pragma once

#include <cstdint>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::tuple {

// A column of any type that rows can be gathered of, null in every row.
[[nodiscard]] ArrowArray null_column(const Field& field, std::int64_t rows);

}  // namespace penstock::tuple
