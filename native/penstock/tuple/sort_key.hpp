#pragma once

#include <cstdint>
#include <string>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::tuple {

// Appends bytes that compare, byte by byte, as the values do: null before everything else, NaN
// behind everything else, strings by their bytes. Those of several columns, one behind the other,
// compare as the columns do, the first one first. The columns are such as can be keys, without a
// dictionary.
void append_sort_key(const Field& field, const ColumnSlice& column, std::int64_t row,
                     std::string& out);

}  // namespace penstock::tuple
