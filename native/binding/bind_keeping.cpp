#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "penstock/ops/dedup.hpp"
#include "penstock/ops/punctuate.hpp"
#include "penstock/ops/take.hpp"
#include "penstock/ops/take_while.hpp"
#include "penstock/ops/throttle.hpp"
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

// Sleeps without the GIL, and looks for signals as often as the feeder does while it waits.
void wait_until(ops::Throttle::Time then) {
  constexpr std::chrono::milliseconds kLook(50);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  std::this_thread::sleep_for(std::min<ops::Throttle::Time>(then - now, kLook));
  if (gettid() != getpid()) return;  // Python tells only its first thread of signals
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return;
  try {
    throw py::error_already_set();
  } catch (const py::error_already_set&) {
    throw graph::Interrupted(std::current_exception());
  }
}

OperatorHandle throttle(std::uintptr_t given, std::uintptr_t made, double rows_per_second,
                        std::size_t /*most_bytes*/, const SharedBytes* /*shared*/) {
  const tuple::Schema input = schema_at(given);
  const tuple::Schema same = schema_at(made);
  ops::Throttle::Waiting waiting{
      .now = [] { return std::chrono::steady_clock::now().time_since_epoch(); },
      .until = wait_until};
  return OperatorHandle(std::make_unique<ops::Throttle>(rows_per_second, std::move(waiting)));
}

OperatorHandle punctuate(std::uintptr_t given, std::uintptr_t made, std::int64_t every,
                         std::optional<int> column, std::size_t /*most_bytes*/,
                         const SharedBytes* /*shared*/) {
  const tuple::Schema input = schema_at(given);
  const tuple::Schema same = schema_at(made);
  return OperatorHandle(
      std::make_unique<ops::Punctuate>(ops::Punctuate::Where{.every = every, .column = column}));
}

}  // namespace

void bind_keeping(py::module_& m) {
  bind_firsts(m);
  bind_best(m);
  m.def("punctuate", &punctuate, py::arg("input_schema_address"), py::arg("output_schema_address"),
        py::kw_only(), py::arg("every"), py::arg("column"), py::arg("most_bytes"),
        py::arg("shared") = py::none());
  m.def("throttle", &throttle, py::arg("input_schema_address"), py::arg("output_schema_address"),
        py::kw_only(), py::arg("rows_per_second"), py::arg("most_bytes"),
        py::arg("shared") = py::none());
}

}  // namespace penstock::binding
