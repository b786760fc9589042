#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/budget/ledger.hpp"
#include "penstock/budget/seat.hpp"
#include "penstock/budget/shares.hpp"

#include "binding/bindings.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

std::vector<int> shares_of(int cores, const std::vector<std::pair<int, int>>& claims) {
  std::vector<budget::Claim> given;
  given.reserve(claims.size());
  for (const auto& [guaranteed, wanted] : claims) {
    given.push_back({.guaranteed = guaranteed, .wanted = wanted});
  }
  return budget::shares(cores, given);
}

std::tuple<int, int, int> look(budget::Seat& seat, int wanted, int most, std::int64_t rows) {
  const auto found = seat.look({.wanted = wanted, .most = most, .rows = rows});
  return {found.share, found.possible, found.tasks};
}

}  // namespace

void bind_budget(py::module_& m) {
  py::register_exception<budget::LedgerError>(m, "LedgerError", PyExc_RuntimeError);
  py::class_<budget::Seat, std::shared_ptr<budget::Seat>>(m, "Seat")
      .def(py::init([](const std::string& path, int cores, int guaranteed) {
             return std::make_shared<budget::Seat>(path, cores, guaranteed);
           }),
           py::arg("path"), py::kw_only(), py::arg("cores"), py::arg("guaranteed"))
      .def_property_readonly("seated", &budget::Seat::seated)
      .def_property_readonly("guaranteed", &budget::Seat::guaranteed)
      .def("look", &look, py::arg("wanted"), py::arg("most"), py::arg("rows") = 0)
      .def("raise_to", &budget::Seat::raise, py::arg("threads"))
      .def("lower_to", &budget::Seat::lower, py::arg("threads"))
      .def("insist_on", &budget::Seat::insist, py::arg("threads"))
      .def("sweep", &budget::Seat::sweep)
      .def("leave", &budget::Seat::leave);
  m.def("shares", &shares_of, py::arg("cores"), py::arg("claims"));
}

}  // namespace penstock::binding
