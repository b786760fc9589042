#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <utility>

#include "penstock/engine/processing_element.hpp"

#include "binding/bindings.hpp"
#include "binding/graph_description.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// The processing element and the schema of what it gives back, as Python holds them.
struct PythonElement {
  std::shared_ptr<engine::ProcessingElement> element;
  tuple::Schema output;
};

struct Failure {
  std::string node;
  std::int64_t row = 0;
  std::int64_t last_row = 0;
  py::object exception;
};

template <typename Struct>
Struct& at(std::uintptr_t address) {
  return *reinterpret_cast<Struct*>(
      address);  // NOLINT(*-reinterpret-cast,performance-no-int-to-ptr)
}

std::unique_ptr<PythonElement> start(GraphDescription& graph, std::uintptr_t input_stream,
                                     std::uintptr_t output_schema, std::int64_t rows_per_tuple,
                                     bool locate_row) {
  // First of all, so that they are given back whatever is wrong with the rest.
  auto input = std::make_unique<tuple::InputStream>(at<ArrowArrayStream>(input_stream));
  tuple::Schema output(at<ArrowSchema>(output_schema));
  if (graph.taken) throw graph::GraphError("this graph is in use by another processing element");
  graph.taken = true;
  auto element = std::make_shared<engine::ProcessingElement>(
      std::move(graph.builder).build(), std::move(input),
      engine::Options{.rows_per_tuple = rows_per_tuple, .locate_row = locate_row});
  return std::make_unique<PythonElement>(PythonElement{std::move(element), std::move(output)});
}

py::object as_python(const std::exception_ptr& cause) {
  try {
    std::rethrow_exception(cause);
  } catch (const py::error_already_set& error) {
    py::object value = error.value();
    if (error.trace()) PyException_SetTraceback(value.ptr(), error.trace().ptr());
    return value;
  } catch (const std::exception& error) {
    return py::reinterpret_steal<py::object>(
        PyObject_CallFunction(PyExc_RuntimeError, "s", error.what()));
  }
}

std::optional<Failure> failure_of(const PythonElement& self) {
  const auto& failure = self.element->failure();
  if (!failure) return std::nullopt;
  return Failure{.node = self.element->topology().node(failure->node).name,
                 .row = failure->rows.first,
                 .last_row = failure->rows.last(),
                 .exception = as_python(failure->cause)};
}

}  // namespace

void bind_processing_element(py::module_& m) {
  py::class_<Failure>(m, "Failure")
      .def_readonly("operator", &Failure::node)
      .def_readonly("row", &Failure::row)
      .def_readonly("last_row", &Failure::last_row)
      .def_readonly("exception", &Failure::exception);
  py::class_<PythonElement>(m, "ProcessingElement")
      .def(py::init(&start), py::arg("graph"), py::arg("input_stream_address"),
           py::arg("output_schema_address"), py::kw_only(), py::arg("rows_per_tuple"),
           py::arg("locate_row"))
      .def(
          "export_stream",
          [](const PythonElement& self, std::uintptr_t address) {
            tuple::export_stream(self.element, self.output, at<ArrowArrayStream>(address));
          },
          py::arg("address"))
      .def("failure",
           [](const PythonElement& self) -> py::object {
             auto failure = failure_of(self);
             return failure ? py::cast(std::move(*failure)) : py::none();
           })
      // An operator may need the GIL to end, and close() waits for it.
      .def(
          "close", [](PythonElement& self) { self.element->close(); },
          py::call_guard<py::gil_scoped_release>());
}

}  // namespace penstock::binding
