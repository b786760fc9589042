#include "binding/python_call.hpp"

#include <exception>
#include <stdexcept>
#include <string>

namespace py = pybind11;

namespace penstock::binding {

namespace {

thread_local bool is_worker = false;  // NOLINT(*-non-const-global-variables)

}  // namespace

bool gil_is_enabled() {
  const auto ask = py::getattr(py::module_::import("sys"), "_is_gil_enabled", py::none());
  return ask.is_none() || ask().cast<bool>();  // before Python 3.13 there is nothing to ask
}

void mark_worker_thread() noexcept { is_worker = true; }

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

void check_raised(const py::error_already_set& error, pid_t process) {
  // KeyboardInterrupt and SystemExit are not Exceptions: they are no verdict on the rows.
  const bool told_to_stop = !error.matches(PyExc_Exception);
  if (is_worker || !told_to_stop) check_not_forked(process);
  if (told_to_stop) throw graph::Interrupted(std::current_exception());
}

}  // namespace penstock::binding
