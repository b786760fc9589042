#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "penstock/tuple/arrow_abi.hpp"

namespace penstock::tuple {

// Some rows of one Arrow array. `offset` counts from the start of the array's buffers: the array's
// own offset is in it already.
struct ColumnSlice {
  const ArrowArray* array = nullptr;
  std::int64_t offset = 0;
  std::int64_t length = 0;
};

// Some rows of some columns of an Arrow record batch: shared, immutable, never copied.
//
// Whoever made the buffers keeps owning them; a Batch and everything cut from it hold one
// reference together, and the last one to go gives the buffers back to their maker.
class Batch {
 public:
  Batch() = default;

  // Takes the struct array over, as the C data interface defines a move: `array` is left released.
  // Throws std::invalid_argument for what cannot be a record batch.
  [[nodiscard]] static Batch adopt(ArrowArray& array);

  // Neither rows nor columns: made by nobody.
  [[nodiscard]] bool is_nothing() const noexcept { return columns_ == nullptr; }
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::int64_t columns() const noexcept;

  // The batch's rows of one of its columns; `position` must be within columns().
  [[nodiscard]] ColumnSlice column(int position) const;

  // `first + count` must be within rows().
  [[nodiscard]] Batch slice(std::int64_t first, std::int64_t count) const;

  // Columns by position, in the given order; each position must be within columns().
  [[nodiscard]] Batch select(std::span<const int> positions) const;

  // Writes the rows to `out` as a struct array that keeps the buffers alive on its own.
  void export_to(ArrowArray& out) &&;

 private:
  friend class Composer;
  struct Columns;

  std::shared_ptr<const Columns> columns_;
  std::int64_t first_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace penstock::tuple
