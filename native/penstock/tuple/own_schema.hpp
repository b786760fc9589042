#pragma once

#include <vector>

#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// A schema of such columns, all of which may be null. They must have neither children nor a
// dictionary.
[[nodiscard]] Schema make_schema(const std::vector<Field>& fields);

}  // namespace penstock::tuple
