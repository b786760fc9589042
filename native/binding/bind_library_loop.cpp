#include <chrono>
#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/ops/library_loop.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"
#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// Of an input: its name, its schema, its columns in a tagged stream, those of them that are read,
// and the schema of these. Of an output: its schema, and its columns in a tagged stream.
using In =
    std::tuple<std::string, std::uintptr_t, std::vector<int>, std::vector<int>, std::uintptr_t>;
using Out = std::tuple<std::uintptr_t, std::vector<int>>;

OperatorHandle library_loop(std::uintptr_t output, std::uintptr_t address, py::object owner,
                            std::string name, std::string where, const std::vector<In>& inputs,
                            const std::vector<Out>& outputs, std::int64_t capacity, bool grows,
                            bool by_rows, double quantum, bool tells_rows,
                            const std::stop_source& stop) {
  using loop::LoopOperator;
  LoopOperator::Options options{.name = std::move(name)};
  options.tagged_input = inputs.size() > 1;
  options.tells_rows = tells_rows;
  options.stop = stop.get_token();
  options.wake = by_rows ? LoopOperator::Wake::kRow : LoopOperator::Wake::kRun;
  options.room = {.rows = capacity, .grows = grows};
  options.quantum.length =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(quantum));
  ops::LibraryLoop library{
      .where = std::move(where),
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
      .functions = *reinterpret_cast<const penstock_loop*>(address),
      .owner = shared_with_python(std::move(owner)),
      .inputs = {},
      .outputs = {}};
  for (const auto& [port, schema, columns, reads, read] : inputs) {
    options.inputs.push_back({.name = port, .schema = schema_at(schema), .columns = columns});
    library.inputs.push_back({.columns = reads, .fields = tuple::read_fields(schema_at(read))});
  }
  const tuple::Schema made = schema_at(output);
  for (const auto& [schema, sources] : outputs) {
    const auto number = static_cast<std::int8_t>(library.outputs.size());
    auto& out = library.outputs.emplace_back();
    out.fields = tuple::read_fields(schema_at(schema));
    if (outputs.size() > 1) out.tag = std::make_unique<const ops::Tag>(made, number, sources);
  }
  return OperatorHandle(ops::make_library_loop(std::move(options), std::move(library)));
}

}  // namespace

void bind_library_loop(py::module_& m) {
  m.attr("loop_abi") = PENSTOCK_LOOP_ABI;
  py::class_<std::stop_source>(m, "StopSource")
      .def(py::init<>())
      .def("request_stop", [](std::stop_source& source) { source.request_stop(); });
  m.def("library_loop", &library_loop, py::arg("output_schema_address"), py::arg("address"),
        py::arg("owner"), py::kw_only(), py::arg("name"), py::arg("where"), py::arg("inputs"),
        py::arg("outputs"), py::arg("capacity"), py::arg("grows"), py::arg("by_rows"),
        py::arg("quantum"), py::arg("tells_rows"), py::arg("stop"));
}

}  // namespace penstock::binding
