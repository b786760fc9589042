#pragma once

#include <cstdint>
#include <memory>
#include <pybind11/pybind11.h>
#include <unistd.h>
#include <utility>

#include "penstock/graph/operator.hpp"
#include "penstock/tuple/arrow_abi.hpp"

namespace penstock::binding {

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

// Something of Python's whose last reference may go on a thread that does not hold the GIL.
template <typename Object>
[[nodiscard]] std::shared_ptr<Object> shared_with_python(Object object) {
  return std::shared_ptr<Object>(new Object(std::move(object)), [](Object* owned) {
    const pybind11::gil_scoped_acquire gil;
    delete owned;  // NOLINT(*-owning-memory)
  });
}

// Whether only one thread at a time runs Python, so that bodies in Python share the lane. False in
// a free-threaded build whose GIL is off.
[[nodiscard]] bool gil_is_enabled();

// Says that the current thread is the engine's own, with no caller in Python to go back to.
void mark_worker_thread() noexcept;

// Refuses to go on in a process that the code just called forked from `process`.
void check_not_forked(pid_t process);
// The same after Python raised; throws Interrupted if the flow was told to stop by it.
void check_raised(const pybind11::error_already_set& error, pid_t process);

// Calls code of the user, with the GIL held. KeyboardInterrupt and SystemExit leave as Interrupted.
template <typename Call>
auto call_python(Call call) {
  const pid_t process = getpid();
  try {
    auto returned = call();
    check_not_forked(process);
    return returned;
  } catch (const pybind11::error_already_set& error) {
    check_raised(error, process);
    throw;
  }
}

}  // namespace penstock::binding
