#include "binding/python_body.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "penstock/graph/operator.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// An array that is still to be released unless somebody took it over.
struct OwnedArray {
  OwnedArray() = default;
  OwnedArray(const OwnedArray&) = delete;
  OwnedArray& operator=(const OwnedArray&) = delete;
  OwnedArray(OwnedArray&&) = delete;
  OwnedArray& operator=(OwnedArray&&) = delete;
  ~OwnedArray() {
    if (array.release != nullptr) array.release(&array);
  }

  [[nodiscard]] std::uintptr_t address() noexcept {
    return reinterpret_cast<std::uintptr_t>(&array);  // NOLINT(*-reinterpret-cast)
  }

  ArrowArray array{};
};

std::optional<tuple::Batch> call(const py::function& body, tuple::Batch batch) {
  const py::gil_scoped_acquire gil;
  OwnedArray in;
  OwnedArray out;
  std::move(batch).export_to(in.array);
  try {
    const auto rows = body(in.address(), out.address()).cast<std::int64_t>();
    if (rows == 0) return std::nullopt;
    return tuple::Batch::adopt(out.array);
  } catch (const py::error_already_set& error) {
    // KeyboardInterrupt and SystemExit are not Exceptions: they are no verdict on the rows.
    if (!error.matches(PyExc_Exception)) throw graph::Interrupted(std::current_exception());
    throw;
  }
}

}  // namespace

ops::BatchFunction::Function python_body(py::function body) {
  // The last reference may go on a thread that does not hold the GIL.
  const std::shared_ptr<py::function> shared(new py::function(std::move(body)),
                                             [](py::function* owned) {
                                               const py::gil_scoped_acquire gil;
                                               delete owned;  // NOLINT(*-owning-memory)
                                             });
  return [shared](tuple::Batch batch) { return call(*shared, std::move(batch)); };
}

}  // namespace penstock::binding
