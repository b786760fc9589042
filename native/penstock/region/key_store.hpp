#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/region/byte_arena.hpp"
#include "penstock/tuple/key_columns.hpp"

namespace penstock::region {

inline constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();

// Where a KeyTable keeps keys of one word: in the slots themselves, so that a lookup touches one
// cache line.
//
// The words are those of KeyColumns::words. A null has the word 0 and a hash that 0 has not, so
// comparing some bits of the hash along tells the two apart.
class WordStore {
 public:
  static constexpr bool kFetched = false;
  using Key = std::uint64_t;
  struct Slot {
    std::uint64_t word = 0;
    std::uint32_t hash = 0;
    std::uint32_t id = kNoId;
  };

  // False for an empty slot. Without a branch.
  [[nodiscard]] static bool matches(const Slot& slot, Key key, std::uint32_t hash) noexcept {
    const std::uint64_t differs = (slot.word ^ key) | (slot.hash ^ hash);
    const std::uint64_t empty = slot.id == kNoId ? 1 : 0;
    return (differs | empty) == 0;
  }
  [[nodiscard]] static Slot put(Key key, std::uint32_t hash, std::uint32_t id) noexcept {
    return {.word = key, .hash = hash, .id = id};
  }
  static void drop(const Slot& /*slot*/) noexcept {}
  static void tidy() noexcept {}

  // Empty is null.
  [[nodiscard]] static std::optional<std::uint64_t> read(const Slot& slot) noexcept {
    if (slot.word == 0 && slot.hash == kNull) return std::nullopt;
    return slot.word;
  }
  [[nodiscard]] static std::size_t bytes() noexcept { return 0; }

 private:
  static constexpr auto kNull = static_cast<std::uint32_t>(tuple::kNullHash);
  static_assert(kNull != static_cast<std::uint32_t>(base::hash64(0)));
};

// Where a KeyTable keeps keys of bytes, those of KeyColumns::bytes: in an arena, found by id.
class ByteStore {
 public:
  static constexpr bool kFetched = true;
  using Key = std::string_view;
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t id = kNoId;
  };

  // False for an empty slot.
  [[nodiscard]] bool matches(const Slot& slot, Key key, std::uint32_t hash) const noexcept {
    if (slot.hash != hash || slot.id == kNoId) return false;
    const Key known = keys_[slot.id];
    return known.size() == key.size() && (known.data() == nullptr) == (key.data() == nullptr) &&
           (key.empty() || std::memcmp(known.data(), key.data(), key.size()) == 0);
  }

  // What matches() will read, in two steps: the second needs what the first has fetched.
  void fetch(const Slot& slot) const noexcept {
    if (slot.id != kNoId) __builtin_prefetch(&keys_[slot.id]);
  }
  void fetch_bytes(const Slot& slot) const noexcept {
    if (slot.id != kNoId) __builtin_prefetch(keys_[slot.id].data());
  }

  [[nodiscard]] Slot put(Key key, std::uint32_t hash, std::uint32_t id) {
    if (id >= keys_.size()) keys_.resize(id + std::size_t{1});
    keys_[id] = key.data() == nullptr ? key : Key{arena_.add(key), key.size()};
    live_ += key.size();
    return {.hash = hash, .id = id};
  }

  void drop(const Slot& slot) noexcept {
    const std::size_t size = keys_[slot.id].size();
    keys_[slot.id] = {};
    live_ -= size;
    dropped_ += size;
  }

  // Copies what is left when more than that was dropped: constant time for each erased byte.
  void tidy() {
    if (dropped_ > live_ + kSpare) compact();
  }

  // data() is null for null, and only then. Valid until a key is erased.
  [[nodiscard]] Key read(const Slot& slot) const noexcept { return keys_[slot.id]; }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return arena_.bytes() + (keys_.capacity() * sizeof(Key));
  }

 private:
  static constexpr std::size_t kSpare = 4096;

  void compact() {
    ByteArena fresh;
    auto moved = keys_;
    for (Key& key : moved) {
      if (key.data() != nullptr) key = {fresh.add(key), key.size()};
    }
    keys_ = std::move(moved);
    arena_ = std::move(fresh);
    dropped_ = 0;
  }

  std::vector<Key> keys_;  // by id
  ByteArena arena_;
  std::size_t live_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace penstock::region
