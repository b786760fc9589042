#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/ops/expression/compute_columns.hpp"
#include "penstock/ops/expression/filter_rows.hpp"

#include "binding/bindings.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

namespace expression = ops::expression;

// word, type, arguments, bits of a literal
using Line = std::tuple<std::string, std::string, std::vector<int>, std::optional<std::uint64_t>>;

tuple::Schema schema_at(std::uintptr_t address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  return tuple::Schema(*reinterpret_cast<ArrowSchema*>(address));
}

std::vector<expression::Instruction> instructions_of(const std::vector<Line>& lines) {
  std::vector<expression::Instruction> made;
  made.reserve(lines.size());
  for (const auto& [word, type, args, bits] : lines) {
    made.push_back({.word = word, .type = type, .args = args, .bits = bits});
  }
  return made;
}

OperatorHandle filter_rows(std::uintptr_t input_schema_address, const std::vector<Line>& lines,
                           int mask) {
  return OperatorHandle(std::make_unique<expression::FilterRows>(schema_at(input_schema_address),
                                                                 instructions_of(lines), mask));
}

OperatorHandle compute_columns(std::uintptr_t input_schema_address, const std::vector<Line>& lines,
                               const std::vector<std::pair<bool, int>>& columns) {
  std::vector<expression::ComputeColumns::Column> made;
  made.reserve(columns.size());
  for (const auto& [computed, from] : columns) made.push_back({.computed = computed, .from = from});
  return OperatorHandle(std::make_unique<expression::ComputeColumns>(
      schema_at(input_schema_address), instructions_of(lines), std::move(made)));
}

}  // namespace

void bind_expression(py::module_& m) {
  m.def("filter_rows", &filter_rows, py::arg("input_schema_address"), py::arg("lines"),
        py::arg("mask"));
  m.def("compute_columns", &compute_columns, py::arg("input_schema_address"), py::arg("lines"),
        py::arg("columns"));
}

}  // namespace penstock::binding
