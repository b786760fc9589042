#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "penstock/ops/keyed_part.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/region/keyed_state.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/key_columns.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::ops {

// The rows of one tuple, cut by key into parts. Kept by its user and filled for one tuple after
// another: a warm one costs no allocation.
struct CutKeys {
  region::Cut cut;
  // Hashes, as far as tables read them, and keys: one part behind the other, as the rows in `cut`.
  // What a part reads lies together, and nothing else comes along when another thread reads it. The
  // keys lead into what is below.
  std::vector<std::uint32_t> hashes;
  std::span<const std::uint64_t> words;
  std::span<const std::string_view> bytes;

  std::vector<std::uint64_t> row_words;  // in the order of the rows
  std::vector<std::string_view> row_bytes;
  std::vector<std::uint64_t> sorted_words;
  std::vector<std::string_view> sorted_bytes;
  std::vector<std::uint8_t> nulls;
  tuple::KeyArena arena;
  std::vector<std::uint32_t> ids;  // of the rows of the part that was numbered last
};

// What an operator by key remembers, divided into parts that different threads may use at the same
// time, and how it moves to other replicas of the operator (region::KeyedState). A key belongs
// where the ring has the hash of its columns in the order of Options::keys: it is for a region by
// the same columns. Moving state is not refused for want of memory; the next row is.
class KeyedParts {
 public:
  struct Options {
    std::vector<int> keys;  // columns that make up the key
    int parts = 1;
    std::size_t most_bytes = 0;  // of memory for what is known of the keys; 0 for any
    // Counts the memory of several that share the limit; its own if there is none.
    std::shared_ptr<std::atomic<std::size_t>> bytes;
  };
  // The states of a new part.
  using MakeStates = std::function<std::vector<std::unique_ptr<KeyStates>>()>;

  // `saved` are the columns that save each of the states. Throws std::invalid_argument, naming the
  // column, for what cannot be a key.
  KeyedParts(const tuple::Schema& input, const Options& options,
             std::vector<std::vector<tuple::Field>> saved, const MakeStates& make);

  [[nodiscard]] int size() const noexcept { return static_cast<int>(parts_.size()); }
  [[nodiscard]] KeyedPart& part(int number) const noexcept {
    return *parts_[static_cast<std::size_t>(number)];
  }

  void cut(const tuple::Batch& batch, CutKeys& out) const { cut(keys_, batch, out); }
  // The numbers of the keys of the part's rows go to `rows.ids`, and there is room for their state.
  // Throws std::length_error if there is less memory allowed than they take.
  void number_keys(int number, CutKeys& rows);

  [[nodiscard]] std::vector<region::Package> donate(const region::HashRing& ring, int self);
  void collect(const tuple::Batch& rows);
  [[nodiscard]] tuple::Batch snapshot() const;
  [[nodiscard]] const tuple::Schema& package_schema() const noexcept { return layout_->schema; }
  [[nodiscard]] std::size_t keys() const noexcept;
  // Memory for what is known of the keys, as counted against Options::most_bytes, with that of all
  // who share it.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_->load(std::memory_order_relaxed);
  }

 private:
  void cut(const tuple::KeyColumns& keys, const tuple::Batch& batch, CutKeys& out) const;
  void find_keys(int number, CutKeys& rows);
  [[nodiscard]] tuple::Batch joined(std::vector<tuple::Batch> packages) const;
  // What all parts take.
  std::size_t count_memory(KeyedPart& part) noexcept;
  // Throws std::length_error.
  void check_memory(KeyedPart& part);

  tuple::KeyColumns keys_;
  std::unique_ptr<const PackageLayout> layout_;
  std::vector<std::unique_ptr<KeyedPart>> parts_;
  std::size_t most_bytes_;
  std::shared_ptr<std::atomic<std::size_t>> bytes_;  // that all parts take
};

}  // namespace penstock::ops
