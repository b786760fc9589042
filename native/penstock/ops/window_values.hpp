#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "penstock/ops/accumulator.hpp"
#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/row_codec.hpp"

namespace penstock::ops {

// The aggregates of open windows. Each window has a slot, which is to the accumulators what the
// number of a key is; slots are used again.
class WindowValues {
 public:
  // Aggregates::column is a position in `fields`. Throws std::invalid_argument, naming the column,
  // for one that cannot be aggregated that way.
  WindowValues(const std::vector<tuple::Field>& fields, const std::vector<Aggregate>& aggregates);

  // A slot with nothing in it.
  [[nodiscard]] std::uint32_t open();
  void close(std::uint32_t slot) noexcept;

  // The row belongs to that window: noted now, taken in by settle().
  void note(std::uint32_t slot, std::int32_t row);
  // Takes in the rows that were noted, all of this batch. Throws graph::FailedAtRow for the first
  // that cannot be.
  void settle(const tuple::Batch& batch);

  // The values of each window, ready to be decoded as columns, behind what is there.
  void read(std::span<const std::uint32_t> slots, std::span<std::string> out);

  void save(std::uint32_t slot, std::string& out) const;
  void restore(std::uint32_t slot, tuple::ValueReader& saved);

  // Memory taken, and how much of it by a slot in the mean.
  [[nodiscard]] std::size_t bytes() const noexcept;
  [[nodiscard]] std::size_t mean_bytes() const noexcept {
    return rows_.size() == free_.size() ? 0 : bytes() / (rows_.size() - free_.size());
  }

 private:
  struct Each {
    Aggregate aggregate;
    std::int64_t width;                 // of a value, in bytes
    std::vector<tuple::Field> saved;    // what restores it
    std::unique_ptr<Accumulator> kept;  // none for a count of rows, which is in rows_
  };

  [[nodiscard]] Column make_room(std::size_t rows, std::int64_t width);

  std::vector<Each> each_;
  std::vector<std::int64_t> rows_;  // in the window, by slot
  std::vector<std::uint32_t> free_;
  std::vector<std::int32_t> noted_rows_;
  std::vector<std::uint32_t> noted_slots_;
  // What accumulators write to, used again.
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> valid_;
  std::vector<std::string> texts_;
};

}  // namespace penstock::ops
