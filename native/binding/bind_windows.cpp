#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/graph/topology.hpp"
#include "penstock/ops/delta_windows.hpp"
#include "penstock/ops/row_windows.hpp"
#include "penstock/ops/session_windows.hpp"
#include "penstock/ops/sliding_delta.hpp"
#include "penstock/ops/time_windows.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

std::unique_ptr<graph::Operator> make_windows(const std::string& kind, const tuple::Schema& input,
                                              const tuple::Schema& output,
                                              const ops::WindowOptions& options) {
  if (kind == "rows") return std::make_unique<ops::RowWindows>(input, output, options);
  if (kind == "delta") return std::make_unique<ops::DeltaWindows>(input, output, options);
  if (kind == "sliding_delta") return std::make_unique<ops::SlidingDelta>(input, output, options);
  if (kind == "time") return std::make_unique<ops::TimeWindows>(input, output, options);
  if (kind == "session") return std::make_unique<ops::SessionWindows>(input, output, options);
  throw graph::GraphError("'" + kind + "' is not a kind of windows");
}

// NOLINTNEXTLINE(readability-function-size): Python names each of them
OperatorHandle windows(std::uintptr_t input, std::uintptr_t output, const std::string& kind,
                       std::vector<int> keys, std::vector<int> shown,
                       const std::vector<std::pair<std::string, int>>& aggregates, bool flush,
                       int on, std::int64_t size, std::int64_t every, std::int64_t offset,
                       std::optional<std::int64_t> watermark, bool late_fails,
                       std::size_t most_bytes, const SharedBytes* shared) {
  ops::WindowOptions options{.keyed = keyed_options(std::move(keys), most_bytes, shared),
                             .shown = std::move(shown),
                             .aggregates = {},
                             .flush = flush,
                             .on = on,
                             .size = size,
                             .every = every,
                             .offset = offset,
                             .watermark = watermark,
                             .late_fails = late_fails};
  for (const auto& [word, column] : aggregates) {
    options.aggregates.push_back({.function = function_of(word), .column = column});
  }
  return OperatorHandle(make_windows(kind, schema_at(input), schema_at(output), options));
}

}  // namespace

void bind_windows(py::module_& m) {
  m.def("windows", &windows, py::arg("input_schema_address"), py::arg("output_schema_address"),
        py::kw_only(), py::arg("kind"), py::arg("keys"), py::arg("shown"), py::arg("aggregates"),
        py::arg("flush"), py::arg("on"), py::arg("size"), py::arg("every"), py::arg("offset"),
        py::arg("watermark"), py::arg("late_fails"), py::arg("most_bytes"),
        py::arg("shared") = py::none());
}

}  // namespace penstock::binding
