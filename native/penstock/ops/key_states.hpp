#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "penstock/tuple/batch.hpp"

namespace penstock::ops {

// Where values go, a row's into its own place.
struct Column {
  void* values = nullptr;         // booleans as a byte each
  std::uint8_t* valid = nullptr;  // a byte for each row
  std::string* texts = nullptr;   // instead of `values`, of strings and binary
};

// What is remembered of the keys of one part. Keys have numbers, from 0 on.
class KeyStates {
 public:
  KeyStates() = default;
  KeyStates(const KeyStates&) = delete;
  KeyStates& operator=(const KeyStates&) = delete;
  KeyStates(KeyStates&&) = delete;
  KeyStates& operator=(KeyStates&&) = delete;
  virtual ~KeyStates() = default;

  // Makes room for keys below this number. Must come before a number is used.
  virtual void reserve(std::uint32_t keys) = 0;

  // Writes what is known of key ids[i] into place i, so that restore() finds it there: a column
  // for each of those it is saved in.
  virtual void save(std::span<const std::uint32_t> ids, std::span<const Column> out) const = 0;
  // What is known of key ids[i] is in row rows[i].
  virtual void restore(std::span<const tuple::ColumnSlice> saved,
                       std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids) = 0;
  // These numbers will be used for other keys.
  virtual void forget(std::span<const std::uint32_t> ids) noexcept = 0;
  // All of them, and the memory.
  virtual void clear() noexcept = 0;

  // Memory taken.
  [[nodiscard]] virtual std::size_t bytes() const noexcept = 0;
};

}  // namespace penstock::ops
