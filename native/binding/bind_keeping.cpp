#include <cstddef>
#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

#include "penstock/ops/dedup.hpp"
#include "penstock/ops/take.hpp"
#include "penstock/ops/take_while.hpp"
#include "penstock/ops/top_k.hpp"

#include "binding/bindings.hpp"
#include "binding/library_arguments.hpp"
#include "binding/operator_handle.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// Operators that keep some of the rows, as they are. The rows they make have the schema of those
// they are given, so the second one is only taken over.
template <typename Made, typename... Arguments>
OperatorHandle keeping(std::uintptr_t given, std::uintptr_t made,
                       const ops::KeyedRows::Options& options, Arguments&&... arguments) {
  const tuple::Schema input = schema_at(given);
  const tuple::Schema same = schema_at(made);
  return OperatorHandle(
      std::make_unique<Made>(input, options, std::forward<Arguments>(arguments)...));
}

void bind_firsts(py::module_& m) {
  m.def(
      "dedup",
      [](std::uintptr_t given, std::uintptr_t made, std::vector<int> keys, int on,
         std::int64_t span, std::size_t most_bytes, const SharedBytes* shared) {
        return keeping<ops::Dedup>(given, made, keyed_options(std::move(keys), most_bytes, shared),
                                   ops::Dedup::Within{.on = on, .span = span});
      },
      py::arg("input_schema_address"), py::arg("output_schema_address"), py::kw_only(),
      py::arg("keys"), py::arg("on"), py::arg("span"), py::arg("most_bytes"),
      py::arg("shared") = py::none());
  m.def(
      "take",
      [](std::uintptr_t given, std::uintptr_t made, std::vector<int> keys, std::int64_t rows,
         std::size_t most_bytes, const SharedBytes* shared) {
        return keeping<ops::Take>(given, made, keyed_options(std::move(keys), most_bytes, shared),
                                  rows);
      },
      py::arg("input_schema_address"), py::arg("output_schema_address"), py::kw_only(),
      py::arg("keys"), py::arg("rows"), py::arg("most_bytes"), py::arg("shared") = py::none());
  m.def(
      "take_while",
      [](std::uintptr_t given, std::uintptr_t made, std::vector<int> keys, int column,
         std::size_t most_bytes, const SharedBytes* shared) {
        return keeping<ops::TakeWhile>(given, made,
                                       keyed_options(std::move(keys), most_bytes, shared), column);
      },
      py::arg("input_schema_address"), py::arg("output_schema_address"), py::kw_only(),
      py::arg("keys"), py::arg("column"), py::arg("most_bytes"), py::arg("shared") = py::none());
}

void bind_best(py::module_& m) {
  m.def(
      "top_k",
      [](std::uintptr_t given, std::uintptr_t made, std::vector<int> keys, std::size_t most,
         const std::vector<std::pair<int, bool>>& best, std::size_t most_bytes,
         const SharedBytes* shared) {
        std::vector<ops::TopK::By> by;
        by.reserve(best.size());
        for (const auto& [column, descending] : best) {
          by.push_back({.column = column, .descending = descending});
        }
        return keeping<ops::TopK>(given, made, keyed_options(std::move(keys), most_bytes, shared),
                                  most, std::move(by));
      },
      py::arg("input_schema_address"), py::arg("output_schema_address"), py::kw_only(),
      py::arg("keys"), py::arg("most"), py::arg("best"), py::arg("most_bytes"),
      py::arg("shared") = py::none());
}

}  // namespace

void bind_keeping(py::module_& m) {
  bind_firsts(m);
  bind_best(m);
}

}  // namespace penstock::binding
