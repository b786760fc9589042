#include <pybind11/pybind11.h>
#include <string>
#include <utility>

#include "binding/bindings.hpp"
#include "binding/graph_description.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

graph::Kind kind_of(const std::string& word) {
  if (word == "stateless") return graph::Kind::kStateless;
  if (word == "keyed") return graph::Kind::kKeyed;
  if (word == "stateful") return graph::Kind::kStateful;
  throw graph::GraphError("an operator's kind is stateless, keyed or stateful, not '" + word + "'");
}

// What comes in on any of the input ports goes to the same body.
int add(GraphDescription& graph, std::string name, const std::string& kind, OperatorHandle& body,
        int inputs) {
  return graph.builder.add(std::move(name), kind_of(kind), inputs, 1, body.take());
}

// Python writes -1 for both ends of the flow: the input where an edge begins, the output where it
// ends.
void connect(GraphDescription& graph, int upstream, int downstream, int port) {
  graph.builder.connect(upstream == -1 ? graph::kSource : upstream, 0,
                        downstream == -1 ? graph::kSink : downstream, port);
}

}  // namespace

void bind_graph(py::module_& m) {
  py::register_exception<graph::GraphError>(m, "GraphError", PyExc_ValueError);
  py::class_<GraphDescription>(m, "Graph")
      .def(py::init<std::string>(), py::arg("name"))
      .def("add", &add, py::arg("name"), py::arg("kind"), py::arg("operator"),
           py::arg("inputs") = 1)
      .def("connect", &connect, py::arg("upstream"), py::arg("downstream"), py::arg("port") = 0);
}

}  // namespace penstock::binding
