#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <utility>

#include "penstock/base/peer_watch.hpp"
#include "penstock/budget/seat.hpp"
#include "penstock/engine/processing_element.hpp"

#include "binding/bindings.hpp"
#include "binding/graph_description.hpp"
#include "binding/library_policy.hpp"
#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

// The processing element and the schema of what it gives back, as Python holds them.
struct PythonElement {
  std::shared_ptr<engine::ProcessingElement> element;
  tuple::Schema output;
};

struct Failure {
  std::string node;
  std::int64_t row = 0;
  std::int64_t last_row = 0;
  py::object exception;
};

// pyarrow hands over its structs by address.
template <typename Struct>
Struct& at(std::uintptr_t address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  return *reinterpret_cast<Struct*>(address);
}

engine::Threading threading_of(const std::string& word) {
  if (word == "manual") return engine::Threading::kManual;
  if (word == "dedicated") return engine::Threading::kDedicated;
  if (word == "dynamic") return engine::Threading::kDynamic;
  if (word == "conveyor") return engine::Threading::kConveyor;
  if (word == "automatic") return engine::Threading::kAutomatic;
  throw std::invalid_argument("'" + word + "' is not a threading model");
}

engine::Controller controller_of(const std::string& word) {
  if (word == "throughput") return engine::Controller::kThroughput;
  if (word == "utilization") return engine::Controller::kUtilization;
  throw std::invalid_argument("'" + word +
                              "' is not a controller; there are 'throughput' and 'utilization'");
}

// A worker keeps one Python thread state from its first to its last step: making one for every
// call costs twenty times as much.
engine::ThreadHooks python_thread() {
  thread_local PyGILState_STATE gil{};
  thread_local PyThreadState* state = nullptr;
  return {.on_start =
              [](int /*worker*/) {
                mark_worker_thread();
                gil = PyGILState_Ensure();
                state = PyEval_SaveThread();
              },
          .on_finish =
              [] {
                PyEval_RestoreThread(state);
                PyGILState_Release(gil);
              }};
}

// Python's signal handlers run on the main thread, and only when somebody there asks for them.
void check_signals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() == 0) return;
  throw graph::Interrupted(std::make_exception_ptr(py::error_already_set()));
}

std::function<bool()> asked(py::function question) {
  return [question = shared_with_python(std::move(question))] {
    const py::gil_scoped_acquire gil;
    return (*question)().cast<bool>();
  };
}

// Ends a flow without the GIL: its operators may need it to come to an end.
void end_without_gil(engine::ProcessingElement* element) {
  if (PyGILState_Check() == 1) {
    const py::gil_scoped_release release;
    delete element;  // NOLINT(*-owning-memory)
  } else {
    delete element;  // NOLINT(*-owning-memory)
  }
}

std::unique_ptr<PythonElement> start(
    GraphDescription& graph, std::uintptr_t input_stream, std::uintptr_t output_schema,
    std::int64_t rows_per_tuple, bool locate_row, const std::string& threading, int threads,
    bool elastic, const std::string& controller, std::int64_t period_ms, int queue_capacity,
    std::int64_t patience_ms, bool observe, std::string trace, std::string policy,
    const std::optional<LibraryPolicy>& library_policy, py::function input_interrupted,
    std::shared_ptr<budget::Seat> seat) {
  // First of all, so that they are given back whatever is wrong with the rest.
  auto input = std::make_unique<tuple::InputStream>(at<ArrowArrayStream>(input_stream));
  tuple::Schema output(at<ArrowSchema>(output_schema));
  if (graph.taken) throw graph::GraphError("this graph is in use by another processing element");
  graph.taken = true;
  decltype(engine::Options::make_policy) make_policy;
  if (library_policy) {
    make_policy = [made = *library_policy](std::size_t operators) { return made.make(operators); };
  }
  std::shared_ptr<engine::ProcessingElement> element(
      new engine::ProcessingElement(std::move(graph.builder).build(), std::move(input),
                                    {.rows_per_tuple = rows_per_tuple,
                                     .output = output,
                                     .locate_row = locate_row,
                                     .threading = threading_of(threading),
                                     .threads = threads,
                                     .elastic = elastic,
                                     .controller = controller_of(controller),
                                     .period = std::chrono::milliseconds(period_ms),
                                     .policy = std::move(policy),
                                     .make_policy = std::move(make_policy),
                                     .queue_capacity = queue_capacity,
                                     .patience = std::chrono::milliseconds(patience_ms),
                                     .hooks = python_thread(),
                                     .budget = std::move(seat),
                                     .check_interrupt = check_signals,
                                     .input_interrupted = asked(std::move(input_interrupted)),
                                     .observe = observe,
                                     .trace = std::move(trace)}),
      end_without_gil);
  return std::make_unique<PythonElement>(
      PythonElement{.element = std::move(element), .output = std::move(output)});
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): what was asked belongs to the element
}

py::object as_python(const std::exception_ptr& cause) {
  try {
    std::rethrow_exception(cause);
  } catch (const py::error_already_set& error) {
    py::object value = error.value();
    if (error.trace()) PyException_SetTraceback(value.ptr(), error.trace().ptr());
    return value;
  } catch (const std::bad_alloc&) {
    return py::handle(PyExc_MemoryError)();
  } catch (const std::exception& error) {
    return py::handle(PyExc_RuntimeError)(error.what());
  }
}

std::optional<Failure> failure_of(const PythonElement& self) {
  const auto& failure = self.element->failure();
  if (!failure) return std::nullopt;
  std::string name = failure->inner;
  if (name.empty() && failure->node != engine::kNoOperator) {
    name = self.element->topology().node(failure->node).name;
  }
  return Failure{.node = std::move(name),
                 .row = failure->rows.first,
                 .last_row = failure->rows.last(),
                 .exception = as_python(failure->cause)};
}

// Calls `sink(name, schema_address, array_address)` for each operator that remembers something:
// with the address of its schema first, and then with that of each array of it; the other one is 0.
void export_states(const PythonElement& self, const py::function& sink) {
  for (auto& state : self.element->states()) {
    ArrowSchema schema{};
    state.schema.export_to(schema);
    sink(state.name, reinterpret_cast<std::uintptr_t>(&schema), 0);  // NOLINT(*-reinterpret-cast)
    for (auto& rows : state.rows) {
      ArrowArray array{};
      std::move(rows).export_to(array);
      sink(state.name, 0, reinterpret_cast<std::uintptr_t>(&array));  // NOLINT(*-reinterpret-cast)
    }
  }
}

// What is asked of a flow that stopped or was changed.
void bind_outcome(py::module_& m) {
  py::class_<Failure>(m, "Failure")
      .def_readonly("operator", &Failure::node)
      .def_readonly("row", &Failure::row)
      .def_readonly("last_row", &Failure::last_row)
      .def_readonly("exception", &Failure::exception);
  py::class_<engine::Action>(m, "Action")
      .def_readonly("seconds", &engine::Action::seconds)
      .def_property_readonly("lever",
                             [](const engine::Action& action) { return name(action.lever); })
      .def_readonly("previous", &engine::Action::previous)
      .def_readonly("chosen", &engine::Action::chosen)
      .def_readonly("reason", &engine::Action::reason)
      .def_readonly("text", &engine::Action::text)
      .def_readonly("before", &engine::Action::before)
      .def_readonly("after", &engine::Action::after);
}

// Its regions, and what operators remember.
void bind_channels_and_states(py::class_<PythonElement>& element) {
  element
      .def(
          "set_channels",
          [](PythonElement& self, const std::string& region, int channels) {
            self.element->set_channels(region, channels);
          },
          py::arg("region"), py::arg("channels"))
      .def("export_states", &export_states, py::arg("sink"))
      .def(
          "restore",
          [](PythonElement& self, const std::string& name, std::uintptr_t array_address) {
            self.element->restore(name, {tuple::Batch::adopt(at<ArrowArray>(array_address))});
          },
          py::arg("name"), py::arg("array_address"));
}

// Its thread never needs the GIL, which an operator that does not return may hold.
struct PythonPeerWatch {
  std::unique_ptr<base::PeerWatch> watch;
};

void bind_peer_watch(py::module_& m) {
  py::class_<PythonPeerWatch>(m, "PeerWatch")
      .def(py::init([](int socket, std::int64_t patience_ms, const PythonElement& flow) {
             base::PeerWatch::Options options{.socket = socket,
                                              .patience = std::chrono::milliseconds(patience_ms),
                                              .on_closed = [of = flow.element] { of->stop(); }};
             return std::make_unique<PythonPeerWatch>(
                 PythonPeerWatch{std::make_unique<base::PeerWatch>(std::move(options))});
           }),
           py::arg("socket"), py::kw_only(), py::arg("patience_ms"), py::arg("flow"))
      .def_property_readonly("closed",
                             [](const PythonPeerWatch& self) { return self.watch->closed(); })
      .def(
          "end", [](PythonPeerWatch& self) { self.watch->end(); },
          py::call_guard<py::gil_scoped_release>());
}

}  // namespace

void bind_processing_element(py::module_& m) {
  bind_outcome(m);
  py::class_<PythonElement> element(m, "ProcessingElement");
  bind_channels_and_states(element);
  element
      .def(py::init(&start), py::arg("graph"), py::arg("input_stream_address"),
           py::arg("output_schema_address"), py::kw_only(), py::arg("rows_per_tuple"),
           py::arg("locate_row"), py::arg("threading"), py::arg("threads"), py::arg("elastic"),
           py::arg("controller"), py::arg("period_ms"), py::arg("queue_capacity"),
           py::arg("patience_ms"), py::arg("observe"), py::arg("trace"), py::arg("policy"),
           py::arg("library_policy"), py::arg("input_interrupted"), py::arg("seat") = py::none())
      .def(
          "export_stream",
          [](const PythonElement& self, std::uintptr_t address) {
            tuple::export_stream(self.element, self.output, at<ArrowArrayStream>(address));
          },
          py::arg("address"))
      .def("failure",
           [](const PythonElement& self) -> py::object {
             auto failure = failure_of(self);
             return failure ? py::cast(std::move(*failure)) : py::none();
           })
      .def(
          "limit_threads", [](PythonElement& self, int most) { self.element->limit_threads(most); },
          py::arg("most"))
      .def("actions", [](const PythonElement& self) { return self.element->actions(); })
      .def("metrics",
           [](const PythonElement& self) -> py::object {
             auto metrics = self.element->metrics();
             return metrics ? py::cast(std::move(*metrics)) : py::none();
           })
      .def("overruled",
           [](const PythonElement& self) { return self.element->aftermath().overruled; })
      .def("refusal", [](const PythonElement& self) { return self.element->aftermath().refusal; })
      .def("trace_problem", [](const PythonElement& self) { return self.element->trace_problem(); })
      // An operator may need the GIL to end, and close() waits for it.
      .def(
          "close", [](PythonElement& self) { self.element->close(); },
          py::call_guard<py::gil_scoped_release>());
  bind_peer_watch(m);
}

}  // namespace penstock::binding
