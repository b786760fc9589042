#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <vector>

#include "penstock/elastic/channel_controller.hpp"
#include "penstock/elastic/channel_decision.hpp"
#include "penstock/elastic/channel_series.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

using elastic::ChannelController;
using elastic::ChannelDecision;
using elastic::Scaling;

ChannelController make_controller(int levels, double sensitivity, double margin, int age,
                                  bool rapid) {
  const Scaling scaling = rapid ? Scaling::kRapid : Scaling::kSteady;
  return ChannelController(
      {.range = {.least = 1, .most = elastic::channels_of_levels(levels, scaling)},
       .scaling = scaling,
       .sensitivity = sensitivity,
       .margin = margin,
       .age = age});
}

}  // namespace

void bind_channels(py::module_& m) {
  py::class_<ChannelDecision>(m, "ChannelDecision")
      .def_readonly("period", &ChannelDecision::period)
      .def_readonly("previous", &ChannelDecision::previous)
      // The same name as in the decisions of other controllers, so that Python can treat all alike.
      .def_readonly("level", &ChannelDecision::channels)
      .def_property_readonly("reason",
                             [](const ChannelDecision& d) { return elastic::name(d.reason); })
      .def_property_readonly("text", [](const ChannelDecision& d) { return elastic::to_text(d); })
      .def_readonly("before", &ChannelDecision::before)
      .def_readonly("after", &ChannelDecision::after);
  py::class_<ChannelController>(m, "ChannelController")
      .def(py::init(&make_controller), py::kw_only(), py::arg("levels"), py::arg("sensitivity"),
           py::arg("margin"), py::arg("age"), py::arg("rapid"))
      .def("update", &ChannelController::update, py::arg("throughput"), py::arg("congested"))
      .def("hold", &ChannelController::hold)
      .def("set_least", &ChannelController::set_least, py::arg("channels"))
      .def("set_most", &ChannelController::set_most, py::arg("channels"))
      .def_property_readonly("channels", &ChannelController::channels)
      .def_property_readonly("settled", &ChannelController::settled)
      .def_property_readonly("least", [](const ChannelController& c) { return c.range().least; })
      .def_property_readonly("most", [](const ChannelController& c) { return c.range().most; })
      .def("decisions", [](const ChannelController& c) {
        return std::vector<ChannelDecision>(c.decisions().begin(), c.decisions().end());
      });
}

}  // namespace penstock::binding
