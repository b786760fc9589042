#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::support {

// A column type for tests, by its Arrow format string.
struct Type {
  std::string format;
  std::vector<Type> children;
  std::vector<Type> dictionary;  // none or one
  std::string name = "column";
  bool nullable = true;
};

// A value of any type in the plainest form: the bytes of a number, text, or one byte of a bool; the
// items of a list or struct. Nothing here is shared with the code under test.
struct Value {
  bool null = false;
  std::string bytes;
  std::vector<Value> items;

  friend bool operator==(const Value&, const Value&) = default;
};
using Values = std::vector<Value>;

inline Value null_value() { return {.null = true}; }
inline Value text(std::string bytes) { return {.bytes = std::move(bytes)}; }
inline Value nested(Values items) { return {.items = std::move(items)}; }

template <typename Number>
Value number(Number value) {
  std::string bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return {.bytes = std::move(bytes)};
}

template <typename Number>
Number as(const Value& value) {
  Number made{};
  std::memcpy(&made, value.bytes.data(), sizeof(made));
  return made;
}

// Bytes of a value of fixed width; 0 for all others.
inline std::size_t width_of(const Type& type) {
  const std::string& format = type.format;
  if (format.starts_with("w:")) return static_cast<std::size_t>(std::stoi(format.substr(2)));
  if (format.starts_with("d:")) {
    const auto bits = format.find(',', format.find(',') + 1);
    return bits == std::string::npos
               ? 16U
               : static_cast<std::size_t>(std::stoi(format.substr(bits + 1))) / 8;
  }
  if (format == "tin") return 16;
  const bool time = format.starts_with("t");
  if (time) return format == "tdD" || format == "tts" || format == "ttm" || format == "tiM" ? 4 : 8;
  if (format.size() != 1) return 0;
  switch (format[0]) {
    case 'c':
    case 'C':
      return 1;
    case 's':
    case 'S':
    case 'e':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    case 'l':
    case 'L':
    case 'g':
      return 8;
    default:
      return 0;
  }
}

inline bool is_list(const Type& type) { return type.format == "+l" || type.format == "+m"; }
inline std::size_t items_of(const Type& type) {
  return type.format.starts_with("+w:") ? static_cast<std::size_t>(std::stoi(type.format.substr(3)))
                                        : 0;
}

struct OwnedSchema {
  Type type;
  std::vector<ArrowSchema> nodes;
  std::vector<ArrowSchema*> children;
};

inline ArrowSchema make_schema_node(const Type& type) {
  auto* owned = new OwnedSchema{.type = type};
  owned->nodes.reserve(type.children.size() + 1);
  for (const Type& child : type.children) {
    owned->children.push_back(&owned->nodes.emplace_back(make_schema_node(child)));
  }
  ArrowSchema made{.format = owned->type.format.c_str(), .name = owned->type.name.c_str()};
  made.flags = type.nullable ? 2 : 0;  // ARROW_FLAG_NULLABLE
  made.n_children = static_cast<std::int64_t>(owned->children.size());
  made.children = owned->children.data();
  if (!type.dictionary.empty()) {
    made.dictionary = &owned->nodes.emplace_back(make_schema_node(type.dictionary[0]));
  }
  made.private_data = owned;
  made.release = [](ArrowSchema* schema) {
    auto* data = static_cast<OwnedSchema*>(schema->private_data);
    for (ArrowSchema& node : data->nodes) node.release(&node);
    delete data;
    schema->release = nullptr;
  };
  return made;
}

inline tuple::Schema make_schema(const std::vector<Type>& columns) {
  ArrowSchema root = make_schema_node({.format = "+s", .children = columns});
  return tuple::Schema(root);
}

}  // namespace penstock::support
