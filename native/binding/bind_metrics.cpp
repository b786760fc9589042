#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "penstock/engine/flow_metrics.hpp"
#include "penstock/engine/trace.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

void bind_metrics(py::module_& m) {
  using engine::FlowMetrics;
  using engine::LevelChange;
  using engine::OperatorMetrics;
  using engine::PacePoint;
  using engine::WorkerMetrics;
  py::register_exception<engine::TraceError>(m, "TraceError", PyExc_OSError);
  py::class_<OperatorMetrics>(m, "OperatorMetrics")
      .def_readonly("name", &OperatorMetrics::name)
      .def_readonly("tuples", &OperatorMetrics::tuples)
      .def_readonly("rows_in", &OperatorMetrics::rows_in)
      .def_readonly("rows_out", &OperatorMetrics::rows_out)
      .def_readonly("late", &OperatorMetrics::late)
      .def_readonly("busy_ns", &OperatorMetrics::busy_ns)
      .def_readonly("waiting_mean", &OperatorMetrics::waiting_mean)
      .def_readonly("waiting_most", &OperatorMetrics::waiting_most);
  py::class_<WorkerMetrics>(m, "WorkerMetrics")
      .def_readonly("worker", &WorkerMetrics::worker)
      .def_readonly("busy_ns", &WorkerMetrics::busy_ns)
      .def_readonly("blocked_ns", &WorkerMetrics::blocked_ns)
      .def_readonly("pieces", &WorkerMetrics::pieces);
  py::class_<LevelChange>(m, "LevelChange")
      .def_readonly("at_ns", &LevelChange::at_ns)
      .def_readonly("level", &LevelChange::level);
  py::class_<PacePoint>(m, "PacePoint")
      .def_readonly("at_ns", &PacePoint::at_ns)
      .def_readonly("rows", &PacePoint::rows);
  py::class_<FlowMetrics>(m, "FlowMetrics")
      .def_readonly("operators", &FlowMetrics::operators)
      .def_readonly("workers", &FlowMetrics::workers)
      .def_readonly("levels", &FlowMetrics::levels)
      .def_readonly("pace", &FlowMetrics::pace)
      .def_readonly("runs", &FlowMetrics::runs)
      .def_readonly("under_way_mean", &FlowMetrics::under_way_mean)
      .def_readonly("under_way_most", &FlowMetrics::under_way_most)
      .def_readonly("elapsed_ns", &FlowMetrics::elapsed_ns);
}

}  // namespace penstock::binding
