#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/base/cache_line.hpp"
#include "penstock/ops/key_states.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/region/key_table.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/key_writer.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// How what is known of keys lies in a batch, a row for each key: the columns of the key, then those
// that restore each of its states. Immutable, shared by all parts.
struct PackageLayout {
  PackageLayout(const tuple::Schema& input, const std::vector<int>& columns,
                std::vector<std::vector<tuple::Field>> saved_fields);

  tuple::KeyWriter writer;
  std::vector<std::vector<tuple::Field>> saved;  // by state
  tuple::Schema schema;
  tuple::KeyColumns keys;  // of such a batch
};

// The keys of one part of an operator, and what is known of them. Parts are used by
// different threads.
struct alignas(base::kCacheLine) KeyedPart {
  // Some keys with their numbers. Lasts as long as none of them is forgotten.
  struct Keys {
    std::vector<std::uint64_t> words;
    std::vector<std::uint8_t> nulls;
    std::vector<std::string_view> bytes;
    std::vector<std::uint32_t> ids;
  };
  // What is to leave: rows of a package layout, by channel, and the keys they are of.
  struct Leaving {
    std::vector<tuple::Batch> by_channel;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint8_t> gone;  // 1 for each number that is in `ids`
  };

  region::WordTable words;
  region::ByteTable bytes;
  std::vector<std::unique_ptr<KeyStates>> states;
  std::size_t known_bytes = 0;  // what was counted for it so far

  [[nodiscard]] std::size_t keys() const noexcept { return words.size() + bytes.size(); }
  [[nodiscard]] std::size_t memory() const noexcept;
  // For a message: the longest keys, with their length.
  [[nodiscard]] std::string longest_keys(const PackageLayout& layout) const;
  // Makes room for the state of every key.
  void reserve_states();

  [[nodiscard]] Keys list_keys() const;
  [[nodiscard]] tuple::Batch pack(const PackageLayout& layout, const Keys& keys) const;
  // What belongs to other channels than `self`. Everything stays until forget(), which cannot fail.
  [[nodiscard]] Leaving pack_leaving(const PackageLayout& layout, const region::HashRing& ring,
                                     int self);
  void forget(const Leaving& leaving) noexcept;
  // What is known of key ids[i] is in row rows[i] of a batch of that layout.
  void restore(const PackageLayout& layout, const tuple::Batch& batch,
               std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids);
};

}  // namespace penstock::ops
