#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <ranges>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/region/key_store.hpp"

namespace penstock::region {

// Gives every key a number: 0 for the first one met, then 1, and so on, so that states can lie in
// arrays. The number of an erased key is given to the next new one. One thread at a time.
//
// Open addressing with linear probing and no tombstones: erasing moves later keys up. Keys lie by
// the low bits of their hash, because those of one channel have high bits in common (HashRing).
template <typename Store>
class KeyTable {
 public:
  using Key = typename Store::Key;

  // ids[i] becomes the number of keys[i], whose hash, as KeyColumns gives it, is hashes[i], of
  // which the low half will do. Throws std::length_error when all numbers are taken.
  template <std::ranges::contiguous_range Hashes>
  void find_or_add(std::span<const Key> keys, const Hashes& hashes, std::span<std::uint32_t> ids) {
    PENSTOCK_CHECK(keys.size() == ids.size() && std::ranges::size(hashes) == ids.size(),
                   "each key has a hash and a place for its number");
    for (std::size_t first = 0; first < ids.size(); first += kBlock) {
      const auto count = std::min(kBlock, ids.size() - first);
      const auto block = std::span(hashes).subspan(first, count);
      make_room(count);
      if (slots_.size() * sizeof(Slot) > kCached) fetch(block);
      find_or_add_block(keys.subspan(first, count), block, ids.subspan(first, count));
    }
  }

  // Makes room for so many keys more. Must come before keys are added in the order of another
  // table: by low bits of their hash, they would fill one end of a table that grows bit by bit.
  void reserve(std::size_t more) { make_room(more); }

  // kNoId if the key is not there.
  [[nodiscard]] std::uint32_t find(Key key, std::uint64_t hash) const noexcept {
    return slots_.empty() ? kNoId : slots_[probe(key, static_cast<std::uint32_t>(hash))].id;
  }

  // The number the key had, or kNoId.
  std::uint32_t erase(Key key, std::uint64_t hash) {
    if (slots_.empty()) return kNoId;
    const std::size_t at = probe(key, static_cast<std::uint32_t>(hash));
    const Slot erased = slots_[at];
    if (erased.id == kNoId) return kNoId;
    free_ids_.push_back(erased.id);
    close_gap(at);
    --size_;
    store_.drop(erased);
    store_.tidy();
    return erased.id;
  }

  // Must come before erase_all() of so many keys, which may then not fail.
  void reserve_erased(std::size_t keys) { free_ids_.reserve(free_ids_.size() + keys); }

  // Erases the keys whose number has a 1 in `gone`, in one go over the table.
  void erase_all(std::span<const std::uint8_t> gone) noexcept {
    for (std::size_t at = 0; at < slots_.size(); ++at) {
      // What moves up into the gap is looked at as well.
      while (slots_[at].id != kNoId && gone[slots_[at].id] != 0) {
        const Slot erased = slots_[at];
        free_ids_.push_back(erased.id);
        close_gap(at);
        --size_;
        store_.drop(erased);
      }
    }
    try {
      store_.tidy();
      // NOLINTNEXTLINE(bugprone-empty-catch): it then takes more memory than it must, no more
    } catch (const std::bad_alloc&) {
    }
  }

  // Calls visit(key, id) for every key, in no order that means anything. It must not change the
  // table.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.id != kNoId) visit(store_.read(slot), slot.id);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // Every number is below this one.
  [[nodiscard]] std::uint32_t id_limit() const noexcept { return next_id_; }

  // Memory taken: 21 to 43 bytes for each key of one word, 27 to 53 and its own bytes for each key
  // of bytes.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return (slots_.capacity() * sizeof(Slot)) + store_.bytes() +
           (free_ids_.capacity() * sizeof(std::uint32_t));
  }

 private:
  using Slot = typename Store::Slot;
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kCached = 65536;  // bytes of slots that need no fetching ahead

  [[nodiscard]] std::size_t home(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash) & (slots_.size() - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t at) const noexcept {
    return (at + 1) & (slots_.size() - 1);
  }

  // In a large table every key is a cache miss: waiting for all of a block at the same time costs
  // little more than waiting for one.
  template <typename Hash>
  void fetch(std::span<const Hash> hashes) const noexcept {
    const auto slot_of = [&](std::uint64_t hash) -> const Slot& { return slots_[home(hash)]; };
    for (const auto hash : hashes) __builtin_prefetch(&slot_of(hash));
    if constexpr (Store::kFetched) {
      for (const auto hash : hashes) store_.fetch(slot_of(hash));
      for (const auto hash : hashes) store_.fetch_bytes(slot_of(hash));
    }
  }

  // Most keys are where their hash points. These are found without a branch that could be
  // mispredicted, and the others afterwards, in their order.
  template <typename Hash>
  void find_or_add_block(std::span<const Key> keys, std::span<const Hash> hashes,
                         std::span<std::uint32_t> ids) {
    std::array<std::uint32_t, kBlock> missed;  // NOLINT(*-member-init): filled as far as it is read
    std::size_t misses = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Slot& slot = slots_[home(hashes[i])];
      const bool hit = store_.matches(slot, keys[i], static_cast<std::uint32_t>(hashes[i]));
      ids[i] = slot.id;
      missed[misses] = static_cast<std::uint32_t>(i);
      misses += hit ? 0U : 1U;
    }
    for (const auto i : std::span(missed).first(misses)) {
      ids[i] = find_or_add_one(keys[i], static_cast<std::uint32_t>(hashes[i]));
    }
  }

  // Where the key is, or the empty slot where it would be.
  [[nodiscard]] std::size_t probe(Key key, std::uint32_t hash) const noexcept {
    std::size_t at = home(hash);
    while (slots_[at].id != kNoId && !store_.matches(slots_[at], key, hash)) at = next(at);
    return at;
  }

  std::uint32_t find_or_add_one(Key key, std::uint32_t hash) {
    const std::size_t at = probe(key, hash);
    if (slots_[at].id != kNoId) return slots_[at].id;
    if (free_ids_.empty() && next_id_ == kNoId) {
      throw std::length_error("a table has room for 4294967295 keys, and all are taken");
    }
    const std::uint32_t id = free_ids_.empty() ? next_id_ : free_ids_.back();
    slots_[at] = store_.put(key, hash, id);
    if (free_ids_.empty()) {
      ++next_id_;
    } else {
      free_ids_.pop_back();
    }
    ++size_;
    return id;
  }

  // For so many keys more at most, with a quarter of the slots left empty.
  void make_room(std::size_t more) {
    std::size_t wanted = std::max<std::size_t>(slots_.size(), 16);
    while (size_ + more > wanted / 4 * 3) wanted *= 2;
    if (wanted == slots_.size()) return;
    const auto old = std::exchange(slots_, std::vector<Slot>(wanted));
    for (const Slot& slot : old) {
      if (slot.id == kNoId) continue;
      std::size_t at = home(slot.hash);
      while (slots_[at].id != kNoId) at = next(at);
      slots_[at] = slot;
    }
  }

  // Moves up what would no longer be found behind the gap.
  void close_gap(std::size_t gap) noexcept {
    for (std::size_t at = next(gap); slots_[at].id != kNoId; at = next(at)) {
      const std::size_t mask = slots_.size() - 1;
      if (((at - home(slots_[at].hash)) & mask) >= ((at - gap) & mask)) {
        slots_[gap] = slots_[at];
        gap = at;
      }
    }
    slots_[gap] = Slot{};
  }

  Store store_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_ids_;
  std::size_t size_ = 0;
  std::uint32_t next_id_ = 0;
};

using WordTable = KeyTable<WordStore>;
using ByteTable = KeyTable<ByteStore>;

}  // namespace penstock::region
