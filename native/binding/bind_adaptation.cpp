#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/elastic/bottleneck.hpp"
#include "penstock/elastic/replica_controller.hpp"
#include "penstock/elastic/utilization_controller.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

using elastic::Candidate;
using elastic::ReplicaController;
using elastic::ReplicaDecision;
using elastic::UtilizationController;
using elastic::UtilizationDecision;

void bind_utilization(py::module_& m) {
  py::class_<UtilizationDecision>(m, "UtilizationDecision")
      .def_readonly("period", &UtilizationDecision::period)
      .def_readonly("previous", &UtilizationDecision::previous)
      .def_readonly("level", &UtilizationDecision::level)
      .def_property_readonly("reason",
                             [](const UtilizationDecision& d) { return elastic::name(d.reason); })
      .def_property_readonly("text",
                             [](const UtilizationDecision& d) { return elastic::to_text(d); })
      .def_readonly("before", &UtilizationDecision::before)
      .def_readonly("after", &UtilizationDecision::after);
  py::class_<UtilizationController>(m, "UtilizationController")
      .def(py::init([](int minimum, int maximum, double low, double high) {
             return UtilizationController(
                 {.range = {.least = minimum, .most = maximum}, .low = low, .high = high});
           }),
           py::kw_only(), py::arg("minimum"), py::arg("maximum"), py::arg("low"), py::arg("high"))
      .def("update", &UtilizationController::update, py::arg("utilization"), py::arg("cpu_ok"))
      .def("hold", &UtilizationController::hold)
      .def("set_least_level", &UtilizationController::set_least_level, py::arg("level"))
      .def("set_most_level", &UtilizationController::set_most_level, py::arg("level"))
      .def_property_readonly("level", &UtilizationController::level)
      .def_property_readonly("settled", &UtilizationController::settled)
      .def_property_readonly("least",
                             [](const UtilizationController& c) { return c.range().least; })
      .def_property_readonly("most", [](const UtilizationController& c) { return c.range().most; })
      .def("decisions", [](const UtilizationController& c) {
        return std::vector<UtilizationDecision>(c.decisions().begin(), c.decisions().end());
      });
}

void bind_replicas(py::module_& m) {
  py::class_<ReplicaDecision>(m, "ReplicaDecision")
      .def_readonly("period", &ReplicaDecision::period)
      .def_readonly("operator", &ReplicaDecision::name)
      .def_readonly("previous", &ReplicaDecision::previous)
      .def_readonly("level", &ReplicaDecision::replicas)
      .def_property_readonly("reason",
                             [](const ReplicaDecision& d) { return elastic::name(d.reason); })
      .def_property_readonly("text", [](const ReplicaDecision& d) { return elastic::to_text(d); })
      .def_readonly("before", &ReplicaDecision::before)
      .def_readonly("after", &ReplicaDecision::after);
  py::class_<ReplicaController>(m, "ReplicaController")
      .def(py::init([](double tau, double margin, int age) {
             return ReplicaController({.tau = tau, .margin = margin, .age = age});
           }),
           py::kw_only(), py::arg("tau"), py::arg("margin"), py::arg("age"))
      .def(
          "set_range",
          [](ReplicaController& c, const std::string& name, int least, int most) {
            c.set_range(name, {.least = least, .most = most});
          },
          py::arg("name"), py::arg("least"), py::arg("most"))
      .def(
          "update",
          [](ReplicaController& c, const std::vector<Candidate>& candidates, double throughput) {
            return c.update(candidates, throughput);
          },
          py::arg("candidates"), py::arg("throughput"))
      .def("hold", &ReplicaController::hold)
      .def("replicas", &ReplicaController::replicas, py::arg("name"))
      .def_property_readonly("settled", &ReplicaController::settled)
      .def("decisions", [](const ReplicaController& c) {
        return std::vector<ReplicaDecision>(c.decisions().begin(), c.decisions().end());
      });
}

}  // namespace

void bind_adaptation(py::module_& m) {
  py::class_<Candidate>(m, "Candidate")
      .def(py::init([](std::string name, std::vector<double> inputs, std::vector<double> outputs,
                       bool replicable) {
             return Candidate{.name = std::move(name),
                              .inputs = std::move(inputs),
                              .outputs = std::move(outputs),
                              .replicable = replicable};
           }),
           py::arg("name"), py::arg("inputs"), py::arg("outputs"), py::arg("replicable"));
  m.def(
      "bottleneck",
      [](const std::vector<Candidate>& candidates, double tau) {
        return elastic::bottleneck(candidates, tau);
      },
      py::arg("candidates"), py::arg("tau"));
  bind_utilization(m);
  bind_replicas(m);
}

}  // namespace penstock::binding
