#pragma once

#include <string_view>

#include "bench/policies/topology.hpp"
#include "bench/request.hpp"

namespace penstock::bench::policies {

// A topology as it is asked for: `topology=chain operators=12 us=100 selectivity=1`, `dataParallel`
// likewise, `tree` and `reverseTree` with `depth=6`, or the name of a query.
struct Shape {
  std::string_view name;
  int operators = 12;
  int depth = 6;
  Busy busy;

  [[nodiscard]] bool is_query() const;
  [[nodiscard]] Topology topology(int workers) const;
};

[[nodiscard]] Shape take_shape(Request& request, bool with_queries);

}  // namespace penstock::bench::policies
