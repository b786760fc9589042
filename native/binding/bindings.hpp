#pragma once

#include <pybind11/pybind11.h>

namespace penstock::binding {

void bind_adaptation(pybind11::module_& m);
void bind_branches(pybind11::module_& m);
void bind_budget(pybind11::module_& m);
void bind_build(pybind11::module_& m);
void bind_channels(pybind11::module_& m);
void bind_compiled(pybind11::module_& m);
void bind_elastic(pybind11::module_& m);
void bind_expression(pybind11::module_& m);
void bind_graph(pybind11::module_& m);
void bind_operators(pybind11::module_& m);
void bind_keeping(pybind11::module_& m);
void bind_loop(pybind11::module_& m);
void bind_library_loop(pybind11::module_& m);
void bind_metrics(pybind11::module_& m);
void bind_policy(pybind11::module_& m);
void bind_processing_element(pybind11::module_& m);
void bind_region(pybind11::module_& m);
void bind_unfolding(pybind11::module_& m);
void bind_windows(pybind11::module_& m);

}  // namespace penstock::binding
