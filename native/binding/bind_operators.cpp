#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/topology.hpp"
#include "penstock/ops/batch_function.hpp"
#include "penstock/ops/busy_work.hpp"
#include "penstock/ops/running_aggregate.hpp"
#include "penstock/ops/select.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"
#include "binding/python_body.hpp"
#include "binding/python_call.hpp"
#include "binding/python_rows.hpp"

namespace py = pybind11;

namespace penstock::binding {

ops::Function function_of(const std::string& word) {
  if (word == "count") return ops::Function::kCount;
  if (word == "sum") return ops::Function::kSum;
  if (word == "min") return ops::Function::kMin;
  if (word == "max") return ops::Function::kMax;
  if (word == "mean") return ops::Function::kMean;
  if (word == "var") return ops::Function::kVar;
  if (word == "stddev") return ops::Function::kStddev;
  if (word == "first") return ops::Function::kFirst;
  if (word == "last") return ops::Function::kLast;
  if (word == "approx_distinct") return ops::Function::kApproxDistinct;
  throw graph::GraphError("'" + word + "' is not an aggregate");
}

namespace {

OperatorHandle running_aggregate(std::uintptr_t input_schema_address, std::vector<int> keys,
                                 const std::vector<std::pair<std::string, int>>& aggregates,
                                 int parts, std::size_t most_bytes, const SharedBytes* shared) {
  const tuple::Schema input = schema_at(input_schema_address);
  ops::RunningAggregate::Options options{
      .keys = std::move(keys), .parts = parts, .most_bytes = most_bytes};
  if (shared != nullptr) options.bytes = shared->bytes;
  for (const auto& [word, column] : aggregates) {
    options.aggregates.push_back({.function = function_of(word), .column = column});
  }
  return OperatorHandle(std::make_unique<ops::RunningAggregate>(input, options));
}

void bind_native_operators(py::module_& m) {
  m.def(
      "select",
      [](std::vector<int> columns) {
        return OperatorHandle(std::make_unique<ops::Select>(std::move(columns)));
      },
      py::arg("columns"));
  m.def(
      "busy_work",
      [](int column, std::int64_t rounds) {
        return OperatorHandle(std::make_unique<ops::BusyWork>(column, rounds));
      },
      py::arg("column"), py::arg("rounds"));
  m.def("running_aggregate", &running_aggregate, py::arg("input_schema_address"), py::arg("keys"),
        py::arg("aggregates"), py::kw_only(), py::arg("parts"), py::arg("most_bytes"),
        py::arg("shared") = py::none());
}

void bind_python_operators(py::module_& m) {
  m.def(
      "function",
      [](py::function body) {
        return OperatorHandle(
            std::make_unique<ops::BatchFunction>(python_body(std::move(body)), gil_is_enabled()));
      },
      py::arg("body"));
  m.def(
      "traced_function",
      [](py::function body, py::object finish) {
        return OperatorHandle(std::make_unique<PythonRows>(
            RowCallables{.process = std::move(body), .finish = std::move(finish)}));
      },
      py::arg("body"), py::arg("finish") = py::none());
  m.def(
      "keyed_function",
      [](py::function process, py::function donate, py::function collect, py::function snapshot,
         py::function schema, py::function keys) {
        return OperatorHandle(
            std::make_unique<PythonKeyed>(RowCallables{.process = std::move(process),
                                                       .donate = std::move(donate),
                                                       .collect = std::move(collect),
                                                       .snapshot = std::move(snapshot),
                                                       .schema = std::move(schema),
                                                       .keys = std::move(keys)}));
      },
      py::arg("process"), py::kw_only(), py::arg("donate"), py::arg("collect"), py::arg("snapshot"),
      py::arg("schema"), py::arg("keys"));
  m.def("channels_of", &channels_of, py::arg("schema_address"), py::arg("array_address"),
        py::arg("keys"), py::arg("channels"));
}

}  // namespace

void bind_operators(py::module_& m) {
  py::class_<OperatorHandle>(m, "Operator")
      .def_property_readonly("in_lane",
                             [](const OperatorHandle& self) { return self.body().in_lane(); });
  py::class_<SharedBytes>(m, "SharedBytes").def(py::init<>());
  bind_native_operators(m);
  bind_python_operators(m);
}

}  // namespace penstock::binding
