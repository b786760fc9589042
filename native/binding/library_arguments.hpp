#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/ops/accumulator.hpp"
#include "penstock/ops/keyed_rows.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::binding {

// Memory that the replicas of one operator count together.
struct SharedBytes {
  std::shared_ptr<std::atomic<std::size_t>> bytes = std::make_shared<std::atomic<std::size_t>>(0);
};

// The schema that Python exported there; takes it over.
[[nodiscard]] inline tuple::Schema schema_at(std::uintptr_t address) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr)
  return tuple::Schema(*reinterpret_cast<ArrowSchema*>(address));
}

// What `penstock.agg` calls it.
[[nodiscard]] ops::Function function_of(const std::string& word);

[[nodiscard]] inline ops::KeyedRows::Options keyed_options(std::vector<int> keys,
                                                           std::size_t most_bytes,
                                                           const SharedBytes* shared) {
  ops::KeyedRows::Options options{.keys = std::move(keys), .most_bytes = most_bytes, .bytes = {}};
  if (shared != nullptr) options.bytes = shared->bytes;
  return options;
}

}  // namespace penstock::binding
