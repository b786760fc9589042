#include "binding/python_store.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "penstock/tuple/schema.hpp"

#include "binding/python_call.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

class PythonStore final : public region::BackingStore {
 public:
  explicit PythonStore(py::object store) : store_(shared_with_python(std::move(store))) {}
  PythonStore(const PythonStore&) = delete;
  PythonStore& operator=(const PythonStore&) = delete;
  PythonStore(PythonStore&&) = delete;
  PythonStore& operator=(PythonStore&&) = delete;
  ~PythonStore() override {
    try {
      close();
    } catch (...) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
    }
  }

  void save(int member, const tuple::Schema& schema, region::Package package) override {
    OwnedArray rows;
    std::move(package.rows).export_to(rows.array);
    ArrowSchema exported{};
    schema.export_to(exported);
    const py::gil_scoped_acquire gil;
    call_python([&] {
      // NOLINTNEXTLINE(*-reinterpret-cast): pyarrow takes its structs by address
      const auto schema_address = reinterpret_cast<std::uintptr_t>(&exported);
      return store_->attr("save")(member, package.from, package.to, schema_address, rows.address());
    });
  }

  [[nodiscard]] std::vector<region::Package> retrieve(int member, int to) override {
    std::vector<region::Package> found;
    const py::gil_scoped_acquire gil;
    const py::cpp_function sink([&](int from, std::uintptr_t array_address) {
      // NOLINTNEXTLINE(*-reinterpret-cast,performance-no-int-to-ptr)
      auto& array = *reinterpret_cast<ArrowArray*>(array_address);
      found.push_back({.from = from, .to = to, .rows = tuple::Batch::adopt(array)});
    });
    call_python([&] { return store_->attr("retrieve")(member, to, sink); });
    return found;
  }

 private:
  void close() const {
    const py::gil_scoped_acquire gil;
    try {
      store_->attr("close")();
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("closing a store of packages");
    }
  }

  std::shared_ptr<py::object> store_;
};

}  // namespace

std::function<std::unique_ptr<region::BackingStore>()> python_stores(py::function open) {
  return [shared = shared_with_python(std::move(open))]() -> std::unique_ptr<region::BackingStore> {
    const py::gil_scoped_acquire gil;
    return std::make_unique<PythonStore>(call_python([&] { return (*shared)(); }));
  };
}

}  // namespace penstock::binding
