#pragma once

#include "penstock/engine/processing_element.hpp"

namespace penstock::bench {

struct Lifecycle {
  double start_ms = 0;    // from an empty graph to the first batch that comes out
  double stop_ms = 0;     // close(), with every thread still there
  double idle_cores = 0;  // used while the input has nothing to give
};

// A flow of `operators` that pass their batch on, in a real processing element.
[[nodiscard]] Lifecycle measure_lifecycle(int operators, const engine::Options& options,
                                          double idle_seconds);

}  // namespace penstock::bench
