#include <cstdint>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "penstock/policy/policy.hpp"

#include "binding/bindings.hpp"
#include "binding/library_policy.hpp"
#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

using policy::OperatorView;

OperatorView make_view(double selectivity, double cost, std::int64_t waiting, int workers,
                       int most_workers, double window_time, bool source, double last_run,
                       double oldest, double read_rate, double write_rate, std::int64_t made,
                       std::int64_t room) {
  return {.selectivity = selectivity,
          .cost = cost,
          .waiting = waiting,
          .workers = workers,
          .most_workers = most_workers,
          .window_time = window_time,
          .source = source,
          .last_run = last_run,
          .oldest = oldest,
          .read_rate = read_rate,
          .write_rate = write_rate,
          .made = made,
          .room = room};
}

std::optional<int> pick(const std::string& name, const std::vector<OperatorView>& operators,
                        double now, double slice, std::int64_t capacity, std::uint64_t seed) {
  const auto policy = policy::make(name, {.slice = slice, .capacity = capacity, .seed = seed});
  const int place = policy->pick(operators, now);
  return place == policy::kNobody ? std::nullopt : std::optional(place);
}

LibraryPolicy library_policy(std::uintptr_t address, py::object owner) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  return {*reinterpret_cast<const penstock_policy*>(address), shared_with_python(std::move(owner))};
}

}  // namespace

void bind_policy(py::module_& m) {
  m.attr("policy_abi") = PENSTOCK_POLICY_ABI;
  py::class_<OperatorView>(m, "OperatorView")
      .def(py::init(&make_view), py::kw_only(), py::arg("selectivity"), py::arg("cost"),
           py::arg("waiting"), py::arg("workers"), py::arg("most_workers"), py::arg("window_time"),
           py::arg("source"), py::arg("last_run"), py::arg("oldest"), py::arg("read_rate"),
           py::arg("write_rate"), py::arg("made"), py::arg("room"));
  m.def("policy_names", [] {
    std::vector<std::string> names;
    for (const auto name : policy::names()) names.emplace_back(name);
    return names;
  });
  m.def("pick", &pick, py::arg("name"), py::arg("operators"), py::kw_only(), py::arg("now"),
        py::arg("slice"), py::arg("capacity"), py::arg("seed"));
  py::class_<LibraryPolicy>(m, "LibraryPolicy")
      .def(py::init(&library_policy), py::arg("address"), py::arg("owner"));
}

}  // namespace penstock::binding
