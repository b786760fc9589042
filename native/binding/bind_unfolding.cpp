#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/topology.hpp"
#include "penstock/ops/explode.hpp"
#include "penstock/ops/parse.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

ops::Parse::Type type_of(const std::string& word) {
  using Type = ops::Parse::Type;
  if (word == "skip") return Type::kSkip;
  if (word == "string") return Type::kString;
  if (word == "int") return Type::kInt;
  if (word == "long") return Type::kLong;
  if (word == "double") return Type::kDouble;
  if (word == "timestamp") return Type::kTime;
  throw graph::GraphError("'" + word + "' is not the type of a field");
}

ops::Parse::Mismatch mismatch_of(const std::string& word) {
  using Mismatch = ops::Parse::Mismatch;
  if (word == "null") return Mismatch::kNull;
  if (word == "drop") return Mismatch::kDrop;
  if (word == "error") return Mismatch::kError;
  throw graph::GraphError("'" + word + "' says nothing of rows that do not match");
}

OperatorHandle parse(std::uintptr_t given, std::uintptr_t made, int column,
                     std::vector<std::string> literals,
                     const std::vector<std::pair<std::string, std::string>>& pieces,
                     const std::string& mismatch) {
  const tuple::Schema input = schema_at(given);
  const tuple::Schema output = schema_at(made);
  ops::Parse::Options options{
      .column = column, .literals = std::move(literals), .mismatch = mismatch_of(mismatch)};
  for (const auto& [type, format] : pieces) {
    options.pieces.push_back({.type = type_of(type), .format = format});
  }
  return OperatorHandle(std::make_unique<ops::Parse>(input, options));
}

}  // namespace

void bind_unfolding(py::module_& m) {
  m.def(
      "explode",
      [](std::uintptr_t given, std::uintptr_t made, int column, bool outer, bool position) {
        const tuple::Schema input = schema_at(given);
        const tuple::Schema output = schema_at(made);
        return OperatorHandle(std::make_unique<ops::Explode>(
            input, ops::Explode::Options{.column = column, .outer = outer, .position = position}));
      },
      py::arg("input_schema_address"), py::arg("output_schema_address"), py::kw_only(),
      py::arg("column"), py::arg("outer"), py::arg("position"));
  m.def("parse", &parse, py::arg("input_schema_address"), py::arg("output_schema_address"),
        py::kw_only(), py::arg("column"), py::arg("literals"), py::arg("pieces"),
        py::arg("mismatch"));
}

}  // namespace penstock::binding
