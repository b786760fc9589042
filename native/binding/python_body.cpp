#include "binding/python_body.hpp"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>

#include "penstock/graph/operator.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

thread_local bool is_worker = false;  // NOLINT(*-non-const-global-variables)

// A process that a body forked and let come back here has one thread of the flow and none of the
// others. The feeder can tell its caller; a worker has none, and would wait for work for ever.
void check_not_forked(pid_t process) {
  if (getpid() == process) return;
  const std::string text =
      "an operator forked, and the flow of process " + std::to_string(process) +
      " cannot go on in process " + std::to_string(getpid()) +
      ": end the child inside the operator (os._exit), or start the flow after forking";
  if (!is_worker) {
    throw graph::Interrupted(std::make_exception_ptr(std::runtime_error(text)));
  }
  const std::string line = "penstock: " + text + "\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, line.data(), line.size());
  _exit(1);
}

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
  const pid_t process = getpid();
  try {
    const auto rows = body(in.address(), out.address()).cast<std::int64_t>();
    check_not_forked(process);
    if (rows == 0) return std::nullopt;
    return tuple::Batch::adopt(out.array);
  } catch (const py::error_already_set& error) {
    // KeyboardInterrupt and SystemExit are not Exceptions: they are no verdict on the rows.
    const bool told_to_stop = !error.matches(PyExc_Exception);
    if (is_worker || !told_to_stop) check_not_forked(process);
    if (told_to_stop) throw graph::Interrupted(std::current_exception());
    throw;
  }
}

}  // namespace

void mark_worker_thread() noexcept { is_worker = true; }

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
