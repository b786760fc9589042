#include <pybind11/pybind11.h>

#include "binding/bindings.hpp"

namespace py = pybind11;

// No thread may start while this module is loaded: Spark's daemon forks its workers afterwards.
PYBIND11_MODULE(_native, m, py::mod_gil_not_used()) {
  m.doc() = "Penstock's native engine. Private: use the penstock package.";
  penstock::binding::bind_adaptation(m);
  penstock::binding::bind_branches(m);
  penstock::binding::bind_budget(m);
  penstock::binding::bind_build(m);
  penstock::binding::bind_channels(m);
  penstock::binding::bind_compiled(m);
  penstock::binding::bind_elastic(m);
  penstock::binding::bind_expression(m);
  penstock::binding::bind_graph(m);
  penstock::binding::bind_keeping(m);
  penstock::binding::bind_loop(m);
  penstock::binding::bind_library_loop(m);
  penstock::binding::bind_metrics(m);
  penstock::binding::bind_operators(m);
  penstock::binding::bind_policy(m);
  penstock::binding::bind_processing_element(m);
  penstock::binding::bind_region(m);
  penstock::binding::bind_unfolding(m);
  penstock::binding::bind_windows(m);
}
