#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/elastic/decision.hpp"
#include "penstock/elastic/thread_controller.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

using elastic::Decision;
using elastic::ThreadController;

ThreadController make_controller(std::vector<int> levels, double sensitivity,
                                 const std::string& load_change, int minimum, int maximum) {
  return ThreadController({.levels = std::move(levels),
                           .range = {.least = minimum, .most = maximum},
                           .sensitivity = sensitivity,
                           .load_change = elastic::load_change_rule(load_change)});
}

}  // namespace

void bind_elastic(py::module_& m) {
  py::class_<Decision>(m, "Decision")
      .def_readonly("period", &Decision::period)
      .def_readonly("previous", &Decision::previous)
      .def_readonly("level", &Decision::level)
      .def_property_readonly("reason", [](const Decision& d) { return elastic::name(d.reason); })
      .def_property_readonly("text", &elastic::to_text)
      .def_readonly("before", &Decision::before)
      .def_readonly("after", &Decision::after);
  py::class_<ThreadController>(m, "ThreadController")
      .def(py::init(&make_controller), py::kw_only(), py::arg("levels"), py::arg("sensitivity"),
           py::arg("load_change"), py::arg("minimum"), py::arg("maximum"))
      .def("update", &ThreadController::update, py::arg("throughput"), py::arg("cpu_ok"))
      .def("hold", &ThreadController::hold)
      .def("set_least_level", &ThreadController::set_least_level, py::arg("level"))
      .def("set_most_level", &ThreadController::set_most_level, py::arg("level"))
      .def_property_readonly("level", &ThreadController::level)
      .def_property_readonly("settled", &ThreadController::settled)
      .def_property_readonly("least", [](const ThreadController& c) { return c.range().least; })
      .def_property_readonly("most", [](const ThreadController& c) { return c.range().most; })
      .def("decisions", [](const ThreadController& c) {
        return std::vector<Decision>(c.decisions().begin(), c.decisions().end());
      });
}

}  // namespace penstock::binding
