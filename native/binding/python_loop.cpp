#include "binding/python_loop.hpp"

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/batch.hpp"

#include "binding/bindings.hpp"
#include "binding/operator_handle.hpp"
#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// Throws the failure that Python returned instead of raising it, so that it can tell the row.
LoopStand stand_of(const py::object& returned) {
  if (!py::isinstance<py::tuple>(returned)) return LoopStand{returned.cast<std::int8_t>()};
  const auto [row, exception] = returned.cast<std::tuple<std::int64_t, py::object>>();
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  throw graph::FailedAtRow(row, std::make_exception_ptr(py::error_already_set()));
}

}  // namespace

void LoopOutput::emit(std::uintptr_t address, std::int64_t row) {
  if (output_ == nullptr) throw std::logic_error("a loop can push only while it runs");
  // NOLINTNEXTLINE(*-reinterpret-cast,performance-no-int-to-ptr): pyarrow fills it by address
  auto batch = tuple::Batch::adopt(*reinterpret_cast<ArrowArray*>(address));
  if (row == kNoRow) {
    output_->emit(std::move(batch), 0);
    return;
  }
  const std::vector<std::int32_t> rows(static_cast<std::size_t>(batch.rows()),
                                       static_cast<std::int32_t>(row));
  output_->emit_rows(std::move(batch), rows, 0);
}

void LoopOutput::punctuate() {
  if (output_ == nullptr) throw std::logic_error("a loop can punctuate only while it runs");
  output_->punctuate(0);
}

PythonLoop::PythonLoop(LoopCallables body)
    : python_(shared_with_python(Python{.body = std::move(body), .output = {}, .shown = {}})),
      in_lane_(gil_is_enabled()) {
  python_->shown = py::cast(&python_->output, py::return_value_policy::reference);
}

template <typename Call>
void PythonLoop::run(graph::Output& output, Call call) {
  const py::gil_scoped_acquire gil;
  python_->output.output_ = &output;
  try {
    stand_ = call_python([&] { return stand_of(call(python_->body, python_->shown)); });
  } catch (...) {
    python_->output.output_ = nullptr;
    stand_ = LoopStand::kWaits;
    marked_ = false;
    throw;
  }
  python_->output.output_ = nullptr;
  if (!paused() && std::exchange(marked_, false)) output.punctuate(0);
}

void PythonLoop::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  if (completed()) return;
  OwnedArray in;
  tuple::Batch(tuple.batch).export_to(in.array);
  run(output, [&](const LoopCallables& body, const py::object& shown) {
    return body.process(in.address(), shown);
  });
}

void PythonLoop::resume(graph::Output& output) {
  run(output,
      [](const LoopCallables& body, const py::object& shown) { return body.resume(shown); });
}

void PythonLoop::punctuate(int /*port*/, graph::Output& output) {
  if (completed()) return;
  marked_ = true;
  run(output, [](const LoopCallables& body, const py::object& shown) { return body.mark(shown); });
}

void PythonLoop::control(const tuple::Tuple& tuple, int /*port*/) {
  if (completed()) return;
  OwnedArray in;
  tuple::Batch(tuple.batch).export_to(in.array);
  const py::gil_scoped_acquire gil;
  call_python([&] { return python_->body.control(in.address()); });
}

void PythonLoop::finish(graph::Output& output) {
  if (completed()) return;
  run(output,
      [](const LoopCallables& body, const py::object& shown) { return body.finish(shown); });
}

void bind_loop(py::module_& m) {
  py::class_<LoopOutput>(m, "LoopOutput")
      .def("emit", &LoopOutput::emit, py::arg("address"), py::arg("row"))
      .def("punctuate", &LoopOutput::punctuate)
      .def("complete", &LoopOutput::complete, py::arg("row"));
  m.def(
      "loop",
      [](py::function process, py::function resume, py::function finish, py::function mark,
         py::function control) {
        return OperatorHandle(
            std::make_unique<PythonLoop>(LoopCallables{.process = std::move(process),
                                                       .resume = std::move(resume),
                                                       .finish = std::move(finish),
                                                       .mark = std::move(mark),
                                                       .control = std::move(control)}));
      },
      py::arg("process"), py::kw_only(), py::arg("resume"), py::arg("finish"), py::arg("mark"),
      py::arg("control"));
}

}  // namespace penstock::binding
