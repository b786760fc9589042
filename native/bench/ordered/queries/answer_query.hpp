#pragma once

#include <string>

#include "bench/request.hpp"

namespace penstock::bench::queries {

// Runs a query in one way and compares with plain code: query=q1|q2|q3|q4|q15|fan contender=hybrid
// rows=100000 workers=2 window=1024 capacity=1024 us=0. The input and what must come out are kept
// for the next request of the same query and rows.
[[nodiscard]] std::string answer_query(Request& request);

}  // namespace penstock::bench::queries
