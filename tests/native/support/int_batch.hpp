#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::support {

// Counts the int batches whose buffers are alive, to see that none is kept or given back twice.
inline std::atomic<int> live_batches = 0;

struct IntColumns {
  std::vector<std::vector<std::int64_t>> values;
  std::vector<std::array<const void*, 2>> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
  const void* no_validity = nullptr;
};

// A record batch of int64 columns as a producer would hand it over.
inline ArrowArray make_int_array(std::vector<std::vector<std::int64_t>> columns) {
  auto* data = new IntColumns{.values = std::move(columns)};
  const auto rows = data->values.empty() ? 0 : static_cast<std::int64_t>(data->values[0].size());
  data->buffers.reserve(data->values.size());
  data->children.reserve(data->values.size());
  for (auto& column : data->values) {
    auto& buffers = data->buffers.emplace_back(std::array<const void*, 2>{nullptr, column.data()});
    auto& child = data->children.emplace_back(
        ArrowArray{.length = rows, .n_buffers = 2, .buffers = buffers.data()});
    child.release = [](ArrowArray* array) { array->release = nullptr; };
    data->pointers.push_back(&child);
  }
  ++live_batches;
  ArrowArray root{.length = rows,
                  .n_buffers = 1,
                  .n_children = static_cast<std::int64_t>(data->pointers.size()),
                  .buffers = &data->no_validity,
                  .children = data->pointers.data()};
  root.private_data = data;
  root.release = [](ArrowArray* array) {
    --live_batches;
    delete static_cast<IntColumns*>(array->private_data);
    array->release = nullptr;
  };
  return root;
}

inline tuple::Batch make_int_batch(std::vector<std::int64_t> values) {
  ArrowArray array = make_int_array({std::move(values)});
  return tuple::Batch::adopt(array);
}

// The values of one column, read the way a consumer of the C data interface reads them.
inline std::vector<std::int64_t> read_column(const ArrowArray& root, std::size_t column = 0) {
  const ArrowArray& child = *root.children[column];
  const auto* data = static_cast<const std::int64_t*>(child.buffers[1]);
  return {data + child.offset, data + child.offset + child.length};
}

inline std::vector<std::int64_t> read_column(tuple::Batch batch, std::size_t column = 0) {
  ArrowArray array{};
  std::move(batch).export_to(array);
  auto values = read_column(array, column);
  array.release(&array);
  return values;
}

}  // namespace penstock::support
