#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/ops/batch_function.hpp"
#include "penstock/ops/running_aggregate.hpp"
#include "penstock/ops/select.hpp"

#include "binding/bindings.hpp"
#include "binding/graph_description.hpp"
#include "binding/python_body.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

graph::Kind kind_of(const std::string& word) {
  if (word == "stateless") return graph::Kind::kStateless;
  if (word == "keyed") return graph::Kind::kKeyed;
  if (word == "stateful") return graph::Kind::kStateful;
  throw graph::GraphError("an operator's kind is stateless, keyed or stateful, not '" + word + "'");
}

// Python writes -1 for both ends of the flow: the input where an edge begins, the output where it
// ends.
void connect(GraphDescription& graph, int upstream, int downstream, int port) {
  graph.builder.connect(upstream == -1 ? graph::kSource : upstream, 0,
                        downstream == -1 ? graph::kSink : downstream, port);
}

ops::Function function_of(const std::string& word) {
  if (word == "count") return ops::Function::kCount;
  if (word == "sum") return ops::Function::kSum;
  if (word == "min") return ops::Function::kMin;
  if (word == "max") return ops::Function::kMax;
  if (word == "mean") return ops::Function::kMean;
  throw graph::GraphError("'" + word + "' is not an aggregate");
}

int add_running_aggregate(GraphDescription& graph, std::string name,
                          std::uintptr_t input_schema_address, std::vector<int> keys,
                          const std::vector<std::pair<std::string, int>>& aggregates, int parts,
                          std::size_t most_bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  const tuple::Schema input(*reinterpret_cast<ArrowSchema*>(input_schema_address));
  ops::RunningAggregate::Options options{
      .keys = std::move(keys), .parts = parts, .most_bytes = most_bytes};
  for (const auto& [word, column] : aggregates) {
    options.aggregates.push_back({.function = function_of(word), .column = column});
  }
  return graph.builder.add(std::move(name), graph::Kind::kKeyed, 1, 1,
                           std::make_unique<ops::RunningAggregate>(input, options));
}

}  // namespace

void bind_graph(py::module_& m) {
  py::register_exception<graph::GraphError>(m, "GraphError", PyExc_ValueError);
  py::class_<GraphDescription>(m, "Graph")
      .def(py::init<std::string>(), py::arg("name"))
      .def(
          "add_select",
          [](GraphDescription& graph, std::string name, std::vector<int> columns) {
            return graph.builder.add(std::move(name), graph::Kind::kStateless, 1, 1,
                                     std::make_unique<ops::Select>(std::move(columns)));
          },
          py::arg("name"), py::arg("columns"))
      .def("add_running_aggregate", &add_running_aggregate, py::arg("name"),
           py::arg("input_schema_address"), py::arg("keys"), py::arg("aggregates"), py::kw_only(),
           py::arg("parts"), py::arg("most_bytes"))
      // What comes in on any of the input ports goes to the same body.
      .def(
          "add_function",
          [](GraphDescription& graph, std::string name, const std::string& kind, py::function body,
             int inputs) {
            return graph.builder.add(
                std::move(name), kind_of(kind), inputs, 1,
                std::make_unique<ops::BatchFunction>(python_body(std::move(body))));
          },
          py::arg("name"), py::arg("kind"), py::arg("body"), py::arg("inputs") = 1)
      .def("connect", &connect, py::arg("upstream"), py::arg("downstream"), py::arg("port") = 0);
}

}  // namespace penstock::binding
