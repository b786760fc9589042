#include "binding/python_rows.hpp"

#include <cstddef>
#include <exception>
#include <optional>
#include <pybind11/stl.h>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/schema.hpp"

#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

struct Made {
  std::int64_t rows = 0;
  std::optional<graph::FailedAtRow> failure;
};

// The exception as if it had been raised here, with the traceback that it has.
std::exception_ptr raised(const py::object& exception) {
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  return std::make_exception_ptr(py::error_already_set());
}

Made made_of(const py::object& returned) {
  if (!py::isinstance<py::tuple>(returned)) return {.rows = returned.cast<std::int64_t>()};
  const auto [rows, row, exception] =
      returned.cast<std::tuple<std::int64_t, std::int64_t, py::object>>();
  return {.rows = rows, .failure = graph::FailedAtRow(row, raised(exception))};
}

std::span<const std::int32_t> rows_of(const ArrowArray& array, std::int64_t count) {
  if (array.release == nullptr || array.length != count) {
    throw std::invalid_argument("a body must say of every row it made which row it came from");
  }
  const auto* first = static_cast<const std::int32_t*>(array.buffers[1]) + array.offset;
  return {first, static_cast<std::size_t>(count)};
}

}  // namespace

PythonRows::PythonRows(RowCallables body)
    : body_(shared_with_python(std::move(body))), in_lane_(gil_is_enabled()) {}

void PythonRows::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  OwnedArray in;
  OwnedArray out;
  OwnedArray rows;
  tuple::Batch(tuple.batch).export_to(in.array);
  const auto made = [&] {
    const py::gil_scoped_acquire gil;
    return call_python(
        [&] { return made_of(body().process(in.address(), out.address(), rows.address())); });
  }();
  if (made.rows > 0) {
    output.emit_rows(tuple::Batch::adopt(out.array), rows_of(rows.array, made.rows), 0);
  }
  if (made.failure) throw graph::FailedAtRow(*made.failure);
}

void PythonRows::finish(graph::Output& output) {
  OwnedArray out;
  const auto rows = [&] {
    const py::gil_scoped_acquire gil;
    if (body().finish.is_none()) return std::int64_t{0};
    return call_python([&] { return body().finish(out.address()).cast<std::int64_t>(); });
  }();
  if (rows > 0) output.emit(tuple::Batch::adopt(out.array), 0);
}

std::vector<region::Package> PythonKeyed::donate(const region::HashRing& ring, int self) {
  OwnedArray out;
  using Shares = std::vector<std::pair<int, std::int64_t>>;
  const auto shares = [&] {
    const py::gil_scoped_acquire gil;
    return call_python(
        [&] { return body().donate(ring.channels(), self, out.address()).cast<Shares>(); });
  }();
  std::vector<region::Package> packages;
  if (shares.empty()) return packages;
  const auto all = tuple::Batch::adopt(out.array);
  std::int64_t first = 0;
  for (const auto& [channel, rows] : shares) {
    packages.push_back({.from = self, .to = channel, .rows = all.slice(first, rows)});
    first += rows;
  }
  return packages;
}

void PythonKeyed::collect(const tuple::Batch& rows) {
  OwnedArray in;
  tuple::Batch(rows).export_to(in.array);
  const py::gil_scoped_acquire gil;
  call_python([&] { return body().collect(in.address()); });
}

tuple::Batch PythonKeyed::snapshot() const {
  OwnedArray out;
  const py::gil_scoped_acquire gil;
  call_python([&] { return body().snapshot(out.address()); });
  return tuple::Batch::adopt(out.array);
}

tuple::Schema PythonKeyed::package_schema() const {
  ArrowSchema made{};
  const py::gil_scoped_acquire gil;
  // NOLINTNEXTLINE(*-reinterpret-cast): pyarrow fills its structs by address
  call_python([&] { return body().schema(reinterpret_cast<std::uintptr_t>(&made)); });
  return tuple::Schema(made);
}

std::size_t PythonKeyed::keys() const noexcept {
  try {
    const py::gil_scoped_acquire gil;
    return body().keys().cast<std::size_t>();
  } catch (...) {
    return 0;  // it is a number to show, and nobody could be told
  }
}

std::vector<std::int32_t> channels_of(std::uintptr_t schema_address, std::uintptr_t array_address,
                                      const std::vector<int>& keys, int channels) {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  const tuple::Schema schema(*reinterpret_cast<ArrowSchema*>(schema_address));
  const auto batch = tuple::Batch::adopt(*reinterpret_cast<ArrowArray*>(array_address));
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  const region::HashRing ring(channels);
  std::vector<std::uint64_t> hashes;
  tuple::KeyColumns(schema, keys).hash(batch, hashes);
  std::vector<std::int32_t> found(hashes.size());
  ring.channels_of(hashes, found);
  return found;
}

}  // namespace penstock::binding
