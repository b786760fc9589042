#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "support/arrow_columns.hpp"

namespace penstock::support {

// Arrow arrays from values and back, one value at a time: slow, plain, and nothing of it shared
// with the code under test.

inline std::atomic<int> live_arrays = 0;

struct OwnedArray {
  std::vector<std::string> buffers;
  std::vector<const void*> pointers;
  std::vector<ArrowArray> nodes;
  std::vector<ArrowArray*> children;
};

template <typename Number>
void append_number(std::string& buffer, Number value) {
  buffer.append(number(value).bytes);
}

inline void put_bit(std::string& bits, std::size_t at, bool value) {
  if (bits.size() <= at / 8) bits.resize(at / 8 + 1);
  if (value) bits[at / 8] = static_cast<char>(bits[at / 8] | (1 << (at % 8)));
}

inline bool get_bit(const void* bits, std::int64_t at) {
  return ((static_cast<const unsigned char*>(bits)[at / 8] >> (at % 8)) & 1) != 0;
}

ArrowArray make_array(const Type& type, const Values& values, std::int64_t hidden);

// Items of all lists one after another, and where each list begins.
template <typename Offset>
void fill_list(const Type& type, const Values& values, OwnedArray& out) {
  Values items;
  std::string offsets;
  append_number(offsets, Offset{0});
  for (const Value& value : values) {
    if (value.null) items.push_back(null_value());  // what lies under a null must not matter
    items.insert(items.end(), value.items.begin(), value.items.end());
    append_number(offsets, static_cast<Offset>(items.size()));
  }
  out.buffers.push_back(std::move(offsets));
  out.nodes.push_back(make_array(type.children[0], items, 1));
}

template <typename Offset>
void fill_bytes(const Values& values, OwnedArray& out) {
  std::string offsets;
  std::string bytes;
  append_number(offsets, Offset{0});
  for (const Value& value : values) {
    bytes += value.null ? "under a null" : value.bytes;
    append_number(offsets, static_cast<Offset>(bytes.size()));
  }
  out.buffers.push_back(std::move(offsets));
  out.buffers.push_back(std::move(bytes));
}

// Long texts go to one of two buffers in turn.
inline void fill_views(const Values& values, OwnedArray& out) {
  std::string views;
  std::string buffers[2];
  std::size_t turn = 0;
  for (const Value& value : values) {
    const auto& bytes = value.bytes;
    append_number(views, static_cast<std::int32_t>(bytes.size()));
    if (bytes.size() <= 12) {
      views += bytes + std::string(12 - bytes.size(), '\0');
      continue;
    }
    std::string& buffer = buffers[turn % 2];
    views += bytes.substr(0, 4);
    append_number(views, static_cast<std::int32_t>(turn++ % 2));
    append_number(views, static_cast<std::int32_t>(buffer.size()));
    buffer += bytes;
  }
  std::string sizes;
  for (const auto& buffer : buffers) append_number(sizes, std::int64_t(buffer.size()));
  out.buffers.insert(out.buffers.end(), {views, buffers[0], buffers[1], sizes});
}

// A null may be one of the index or of the dictionary's entry: every other is the latter.
inline bool is_null_row(const Type& type, const Values& values, std::size_t row) {
  return values[row].null && (type.dictionary.empty() || row % 2 == 0);
}

inline void fill_indices(const Type& type, const Values& values, OwnedArray& out) {
  Values entries;
  std::string indices;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const bool null = is_null_row(type, values, row);
    const auto found = null ? entries.begin() : std::ranges::find(entries, values[row]);
    const auto index = found - entries.begin();
    if (!null && found == entries.end()) entries.push_back(values[row]);
    indices += number(std::int64_t{index}).bytes.substr(0, width_of(type));
  }
  out.buffers.push_back(std::move(indices));
  out.nodes.push_back(make_array(type.dictionary[0], entries, 2));
}

inline void fill_fixed(const Type& type, const Values& values, OwnedArray& out) {
  std::string data;
  for (std::size_t row = 0; row < values.size(); ++row) {
    std::string bytes = values[row].bytes;
    if (type.format == "b") {
      put_bit(data, row, !bytes.empty() && bytes[0] != 0);
    } else {
      bytes.resize(width_of(type), '?');
      data += bytes;
    }
  }
  out.buffers.push_back(std::move(data));
}

inline void fill_children(const Type& type, const Values& values, OwnedArray& out) {
  const std::size_t each = items_of(type);
  for (std::size_t child = 0; child < type.children.size(); ++child) {
    Values items;
    for (const Value& value : values) {
      if (each == 0) {
        items.push_back(value.null ? null_value() : value.items[child]);
      } else {
        for (std::size_t at = 0; at < each; ++at) {
          items.push_back(value.null ? null_value() : value.items[at]);
        }
      }
    }
    out.nodes.push_back(make_array(type.children[child], items, 3));
  }
}

inline void fill(const Type& type, const Values& values, OwnedArray& out) {
  if (!type.dictionary.empty()) return fill_indices(type, values, out);
  if (type.format == "u" || type.format == "z") return fill_bytes<std::int32_t>(values, out);
  if (type.format == "U" || type.format == "Z") return fill_bytes<std::int64_t>(values, out);
  if (type.format == "vu" || type.format == "vz") return fill_views(values, out);
  if (is_list(type)) return fill_list<std::int32_t>(type, values, out);
  if (type.format == "+L") return fill_list<std::int64_t>(type, values, out);
  if (type.format == "+s" || items_of(type) != 0) return fill_children(type, values, out);
  fill_fixed(type, values, out);
}

// An array of `values`, with `hidden` null rows before them that its offset leaves out.
inline ArrowArray make_array(const Type& type, const Values& values, std::int64_t hidden) {
  auto* owned = new OwnedArray;
  ++live_arrays;
  Values all(static_cast<std::size_t>(hidden), null_value());
  all.insert(all.end(), values.begin(), values.end());
  std::int64_t nulls = 0;
  const bool no_buffers = type.format == "n";
  if (!no_buffers) {
    std::string valid;
    for (std::size_t row = 0; row < all.size(); ++row) {
      const bool null = is_null_row(type, all, row);
      put_bit(valid, row, !null);
      nulls += null && std::cmp_greater_equal(row, hidden) ? 1 : 0;
    }
    owned->buffers.push_back(std::move(valid));
    owned->nodes.reserve(type.children.size() + 1);
    fill(type, all, *owned);
  }
  for (const auto& buffer : owned->buffers) owned->pointers.push_back(buffer.data());
  if (!no_buffers && nulls == 0) owned->pointers[0] = nullptr;
  if (no_buffers) nulls = std::ssize(values);
  ArrowArray made{.length = std::int64_t(values.size()), .null_count = nulls, .offset = hidden};
  made.n_buffers = static_cast<std::int64_t>(owned->pointers.size());
  made.buffers = owned->pointers.data();
  const bool dictionary = !type.dictionary.empty();
  for (ArrowArray& node : owned->nodes) owned->children.push_back(&node);
  made.n_children = dictionary ? 0 : static_cast<std::int64_t>(owned->children.size());
  made.children = owned->children.data();
  made.dictionary = dictionary ? owned->children[0] : nullptr;
  made.private_data = owned;
  made.release = [](ArrowArray* array) {
    auto* data = static_cast<OwnedArray*>(array->private_data);
    for (ArrowArray& node : data->nodes) {
      if (node.release != nullptr) node.release(&node);
    }
    delete data;
    --live_arrays;
    array->release = nullptr;
  };
  return made;
}

// `columns[c][r]` is row r of column c; each column hides `hidden` rows before its first.
inline tuple::Batch make_batch(const std::vector<Type>& types, const std::vector<Values>& columns,
                               std::int64_t hidden = 0) {
  auto* owned = new OwnedArray;
  ++live_arrays;
  owned->nodes.reserve(types.size());
  for (std::size_t column = 0; column < types.size(); ++column) {
    owned->nodes.push_back(make_array(types[column], columns[column], hidden));
    owned->children.push_back(&owned->nodes.back());
  }
  owned->pointers.push_back(nullptr);
  ArrowArray root{.length = columns.empty() ? 0 : std::int64_t(columns[0].size())};
  root.n_buffers = 1;
  root.buffers = owned->pointers.data();
  root.n_children = static_cast<std::int64_t>(types.size());
  root.children = owned->children.data();
  root.private_data = owned;
  root.release = [](ArrowArray* array) {
    auto* data = static_cast<OwnedArray*>(array->private_data);
    for (ArrowArray& node : data->nodes) {
      if (node.release != nullptr) node.release(&node);
    }
    delete data;
    --live_arrays;
    array->release = nullptr;
  };
  return tuple::Batch::adopt(root);
}

}  // namespace penstock::support
