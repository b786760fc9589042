#include <cstdint>
#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/region/channels.hpp"

#include "binding/bindings.hpp"
#include "binding/chains.hpp"
#include "binding/operator_handle.hpp"
#include "binding/python_body.hpp"
#include "binding/python_call.hpp"
#include "binding/python_store.hpp"

namespace py = pybind11;

namespace penstock::binding {

namespace {

tuple::Schema schema_at(std::uintptr_t address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  return tuple::Schema(*reinterpret_cast<ArrowSchema*>(address));
}

region::Splitter splitter_of(const tuple::Schema& input, const std::vector<int>& keys,
                             const std::optional<py::function>& key_body,
                             std::uintptr_t key_schema_address) {
  if (keys.empty()) return {};
  if (!key_body) return region::Splitter(tuple::KeyColumns(input, keys));
  auto function = [body = python_body(*key_body)](const tuple::Batch& batch) {
    return body(batch).value_or(tuple::Batch());
  };
  return region::Splitter(tuple::KeyColumns(schema_at(key_schema_address), keys),
                          std::move(function), gil_is_enabled());
}

region::Channels::Order order_of(const std::string& word) {
  if (word == "stream") return region::Channels::Order::kStream;
  if (word == "key") return region::Channels::Order::kKey;
  throw std::invalid_argument("a region keeps the order of the stream or of each key, not '" +
                              word + "'");
}

OperatorHandle region(const std::vector<Chain>& channels, std::uintptr_t input_schema_address,
                      std::uintptr_t output_schema_address, const std::vector<int>& keys,
                      const std::optional<py::function>& key_body,
                      std::uintptr_t key_schema_address, int least, int first,
                      const std::string& order, const std::optional<py::function>& open_store) {
  const tuple::Schema input = schema_at(input_schema_address);
  const tuple::Schema output = schema_at(output_schema_address);
  auto splitter = splitter_of(input, keys, key_body, key_schema_address);
  region::Channels::Options options;
  options.widths = {.least = least, .most = static_cast<int>(channels.size()), .first = first};
  options.order = order_of(order);
  if (open_store) options.make_store = python_stores(*open_store);
  return OperatorHandle(std::make_unique<region::Channels>(
      input, output, std::move(splitter), channels_of(channels), std::move(options)));
}

}  // namespace

void bind_region(py::module_& m) {
  m.def("region", &region, py::arg("channels"), py::arg("input_schema_address"),
        py::arg("output_schema_address"), py::kw_only(), py::arg("keys"), py::arg("key_body"),
        py::arg("key_schema_address"), py::arg("least"), py::arg("first"), py::arg("order"),
        py::arg("open_store"));
}

}  // namespace penstock::binding
