#include <pybind11/pybind11.h>

#include "penstock/base/address_space.hpp"
#include "penstock/base/crash_report.hpp"
#include "penstock/base/parent_watch.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

void bind_build(py::module_& m) {
  // Raised whenever Python code and a native module of different builds could not work together.
  m.attr("abi_version") = 1;
  m.def("build_info", [] {
    py::dict info;
    info["version"] = PENSTOCK_VERSION;
    info["compiler"] = PENSTOCK_COMPILER;
    info["build_type"] = PENSTOCK_BUILD_TYPE;
    return info;
  });
  m.def("die_with_parent", &base::die_with_parent);
  m.def("share_arenas", &base::share_arenas);
  m.def("report_crashes", &base::report_crashes, py::arg("log") = -1);
}

}  // namespace penstock::binding
