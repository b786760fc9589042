#pragma once

#include <functional>
#include <memory>
#include <pybind11/pybind11.h>

#include "penstock/region/backing_store.hpp"

namespace penstock::binding {

// Makes stores that keep packages as Python wants: `open()` returns an object with
//   save(member, from, to, schema_address, array_address)   takes both over
//   retrieve(member, to, sink)   calls sink(from, array_address) for each, and has it no longer
//   close()
[[nodiscard]] std::function<std::unique_ptr<region::BackingStore>()> python_stores(
    pybind11::function open);

}  // namespace penstock::binding
