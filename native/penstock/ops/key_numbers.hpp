#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "penstock/region/hash_ring.hpp"
#include "penstock/region/key_table.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/key_writer.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// The keys that one operator on one channel knows, each with a small number, so that what is known
// of them can lie in arrays. Without key columns all rows have the number 0. One thread at a time.
class KeyNumbers {
 public:
  // Throws std::invalid_argument, naming the column, for what cannot be a key.
  KeyNumbers(const tuple::Schema& input, const std::vector<int>& columns);

  // The number of every row's key; new keys get one. `packed` for rows whose first columns are
  // written keys. Throws std::length_error when all numbers are taken.
  void number(const tuple::Batch& batch, std::vector<std::uint32_t>& ids, bool packed = false);

  // Every number is below this one.
  [[nodiscard]] std::uint32_t id_limit() const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.bytes() + bytes_.bytes(); }

  // What is written of a key: the fields of its columns.
  [[nodiscard]] const std::vector<tuple::Field>& fields() const noexcept;

  // All keys there are: their numbers, and their columns as a batch, row for row.
  struct Listed {
    std::vector<std::uint32_t> ids;
    tuple::Batch keys;
  };
  [[nodiscard]] Listed list() const;
  // Some of them.
  [[nodiscard]] Listed list(std::span<const std::uint32_t> only) const;
  // The same in the order of the keys: null first, NaN last, strings by their bytes.
  struct Sorted {
    std::vector<std::uint32_t> ids;
    std::vector<std::string> order;  // compares as the keys do
  };
  [[nodiscard]] Sorted sort() const;
  // Shows every key's number and the bytes that the key itself has.
  template <typename Show>
  void for_each(Show show) const {
    words_.for_each(
        [&](const auto& /*word*/, std::uint32_t id) { show(id, sizeof(std::uint64_t)); });
    bytes_.for_each([&](std::string_view key, std::uint32_t id) { show(id, key.size()); });
  }
  // The channel of each listed key on a ring, as the splitter of its region finds it.
  [[nodiscard]] std::vector<std::int32_t> channels(const Listed& listed,
                                                   const region::HashRing& ring) const;

  // So many keys will be erased without a failure.
  void reserve_erased(std::size_t count);
  // `gone[id]` is 1 for each key to be erased.
  void erase(std::span<const std::uint8_t> gone) noexcept;

 private:
  template <typename Wanted>
  [[nodiscard]] Listed list_where(Wanted wanted) const;

  std::vector<tuple::KeyColumns> given_;  // none or one
  std::vector<tuple::KeyColumns> packed_;
  std::vector<tuple::KeyWriter> writer_;
  region::WordTable words_;
  region::ByteTable bytes_;
  // Used again for every batch.
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> read_words_;
  std::vector<std::uint8_t> nulls_;
  std::vector<std::string_view> read_bytes_;
  tuple::KeyArena arena_;
};

}  // namespace penstock::ops
