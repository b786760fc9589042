#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/arrow_values.hpp"

namespace penstock::support {

// The value at `row` of an array, counted from its offset, as a consumer of the C data interface
// reads it.
Value read_value(const Type& type, const ArrowArray& array, std::int64_t row);

template <typename Number>
Number read_number(const void* buffer, std::int64_t at) {
  Number made{};
  std::memcpy(&made, static_cast<const char*>(buffer) + at * std::int64_t{sizeof(made)},
              sizeof(made));
  return made;
}

inline Values read_items(const Type& type, const ArrowArray& array, std::int64_t from,
                         std::int64_t to) {
  Values items;
  for (std::int64_t at = from; at < to; ++at) items.push_back(read_value(type, array, at));
  return items;
}

template <typename Offset>
Value read_bytes(const ArrowArray& array, std::int64_t at) {
  const auto from = read_number<Offset>(array.buffers[1], at);
  const auto to = read_number<Offset>(array.buffers[1], at + 1);
  return text(
      {static_cast<const char*>(array.buffers[2]) + from, static_cast<std::size_t>(to - from)});
}

template <typename Offset>
Value read_list(const Type& type, const ArrowArray& array, std::int64_t at) {
  const auto from = read_number<Offset>(array.buffers[1], at);
  const auto to = read_number<Offset>(array.buffers[1], at + 1);
  return nested(read_items(type.children[0], *array.children[0], from, to));
}

inline Value read_view(const ArrowArray& array, std::int64_t at) {
  const auto* view = static_cast<const char*>(array.buffers[1]) + at * 16;
  const auto size = static_cast<std::size_t>(read_number<std::int32_t>(view, 0));
  if (size <= 12) return text({view + 4, size});
  const auto buffer = read_number<std::int32_t>(view, 2);
  const auto offset = read_number<std::int32_t>(view, 3);
  return text({static_cast<const char*>(array.buffers[2 + buffer]) + offset, size});
}

inline Value read_valid(const Type& type, const ArrowArray& array, std::int64_t at) {
  const std::string& format = type.format;
  if (format == "b") return text(std::string(1, get_bit(array.buffers[1], at) ? '\1' : '\0'));
  if (format == "u" || format == "z") return read_bytes<std::int32_t>(array, at);
  if (format == "U" || format == "Z") return read_bytes<std::int64_t>(array, at);
  if (format == "vu" || format == "vz") return read_view(array, at);
  if (is_list(type)) return read_list<std::int32_t>(type, array, at);
  if (format == "+L") return read_list<std::int64_t>(type, array, at);
  if (const auto each = static_cast<std::int64_t>(items_of(type)); each != 0) {
    return nested(read_items(type.children[0], *array.children[0], at * each, (at + 1) * each));
  }
  if (format == "+s") {
    Value made;
    for (std::size_t child = 0; child < type.children.size(); ++child) {
      made.items.push_back(read_value(type.children[child], *array.children[child], at));
    }
    return made;
  }
  const auto width = width_of(type);
  return text(
      {static_cast<const char*>(array.buffers[1]) + static_cast<std::size_t>(at) * width, width});
}

inline Value read_value(const Type& type, const ArrowArray& array, std::int64_t row) {
  if (type.format == "n") return null_value();
  const std::int64_t at = array.offset + row;
  if (array.buffers[0] != nullptr && !get_bit(array.buffers[0], at)) return null_value();
  const Value value = read_valid(type, array, at);
  if (type.dictionary.empty()) return value;
  std::string index = value.bytes;
  index.resize(8, '\0');  // test dictionaries have few entries, so no index is negative
  return read_value(type.dictionary[0], *array.dictionary, as<std::int64_t>({.bytes = index}));
}

// All columns of a batch.
inline std::vector<Values> read_batch(const std::vector<Type>& types, tuple::Batch batch) {
  ArrowArray root{};
  std::move(batch).export_to(root);
  std::vector<Values> columns;
  for (std::size_t column = 0; column < types.size(); ++column) {
    columns.push_back(read_items(types[column], *root.children[column], 0, root.length));
  }
  root.release(&root);
  return columns;
}

}  // namespace penstock::support
