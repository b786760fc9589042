#include "binding/python_body.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

std::optional<tuple::Batch> call(const py::function& body, tuple::Batch batch) {
  const py::gil_scoped_acquire gil;
  OwnedArray in;
  OwnedArray out;
  std::move(batch).export_to(in.array);
  const auto rows =
      call_python([&] { return body(in.address(), out.address()).cast<std::int64_t>(); });
  if (rows == 0) return std::nullopt;
  return tuple::Batch::adopt(out.array);
}

}  // namespace

ops::BatchFunction::Function python_body(py::function body) {
  return [shared = shared_with_python(std::move(body))](tuple::Batch batch) {
    return call(*shared, std::move(batch));
  };
}

}  // namespace penstock::binding
