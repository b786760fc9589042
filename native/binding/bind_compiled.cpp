#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

#include "penstock/ops/compiled/compiled_keyed.hpp"
#include "penstock/ops/compiled/compiled_rows.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"
#include "binding/python_call.hpp"
#include "penstock_operator.h"

namespace py = pybind11;

namespace penstock::binding {

namespace {

OperatorHandle compiled_rows(std::uintptr_t input_schema_address,
                             std::uintptr_t output_schema_address, std::uintptr_t function_address,
                             py::object owner, std::vector<int> keys, std::int64_t state_bytes,
                             int parts, std::size_t most_bytes, const SharedBytes* shared,
                             std::optional<std::vector<int>> columns) {
  const tuple::Schema input = schema_at(input_schema_address);
  std::optional<tuple::Schema> output;
  if (output_schema_address != 0) output = schema_at(output_schema_address);
  ops::CompiledFunction function(
      input, output,
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
      {.process = reinterpret_cast<penstock_process>(function_address),
       .owner = shared_with_python(std::move(owner)),
       .columns = std::move(columns)});
  // What remembers nothing of a key works on rows of all keys at once.
  if (state_bytes == 0) {
    return OperatorHandle(std::make_unique<ops::CompiledRows>(std::move(function)));
  }
  ops::KeyedParts::Options options{
      .keys = std::move(keys), .parts = parts, .most_bytes = most_bytes};
  if (shared != nullptr) options.bytes = shared->bytes;
  return OperatorHandle(
      std::make_unique<ops::CompiledKeyed>(input, std::move(function), state_bytes, options));
}

}  // namespace

void bind_compiled(py::module_& m) {
  m.attr("operator_abi") = PENSTOCK_OPERATOR_ABI;
  m.def("compiled_rows", &compiled_rows, py::arg("input_schema_address"),
        py::arg("output_schema_address"), py::arg("function_address"), py::arg("owner"),
        py::kw_only(), py::arg("keys"), py::arg("state_bytes"), py::arg("parts"),
        py::arg("most_bytes"), py::arg("shared") = py::none(), py::arg("columns") = py::none());
}

}  // namespace penstock::binding
