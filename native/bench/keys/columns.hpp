#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::bench {

// Arrow data for the measurements: an int64 key, the same key as text, and a payload.
inline tuple::Schema key_schema() {
  static constexpr auto kKeep = [](ArrowSchema* schema) { schema->release = nullptr; };
  static ArrowSchema columns[] = {// NOLINT: the interface wants them to be writable
                                  {.format = "l", .name = "key", .release = kKeep},
                                  {.format = "u", .name = "text", .release = kKeep},
                                  {.format = "g", .name = "payload", .release = kKeep}};
  static ArrowSchema* pointers[] = {&columns[0], &columns[1], &columns[2]};  // NOLINT: as above
  ArrowSchema root{.format = "+s", .name = "", .n_children = 3, .children = pointers};
  root.release = kKeep;
  return tuple::Schema(root);
}

inline std::string text_of(std::uint64_t key) { return "customer-" + std::to_string(key); }

inline ArrowArray number_array(const std::vector<std::uint64_t>& keys) {
  tuple::OwnArray made(std::ssize(keys));
  made.skip_buffer();
  auto* values = made.add_buffer<std::uint64_t>(std::ssize(keys));
  std::memcpy(values, keys.data(), keys.size() * sizeof(keys[0]));
  return std::move(made).finish(0);
}

inline ArrowArray text_array(const std::vector<std::uint64_t>& keys) {
  std::string all;
  tuple::OwnArray made(std::ssize(keys));
  made.skip_buffer();
  auto* offset = made.add_buffer<std::int32_t>(std::ssize(keys) + 1);
  for (const std::uint64_t key : keys) {
    *offset++ = static_cast<std::int32_t>(all.size());
    all += text_of(key);
  }
  *offset = static_cast<std::int32_t>(all.size());
  std::memcpy(made.add_buffer<char>(std::ssize(all)), all.data(), all.size());
  return std::move(made).finish(0);
}

inline tuple::Batch key_batch(const std::vector<std::uint64_t>& keys) {
  tuple::OwnArray root(std::ssize(keys));
  root.skip_buffer();
  root.add_child(number_array(keys));
  root.add_child(text_array(keys));
  root.add_child(number_array(keys));
  ArrowArray made = std::move(root).finish(0);
  return tuple::Batch::adopt(made);
}

}  // namespace penstock::bench
