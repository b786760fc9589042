#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/ops/compiled/made_rows.hpp"
#include "penstock/tuple/gather.hpp"

namespace penstock::ops {

// What the parts of an operator made of one tuple, in the order of one thread: by the row that it
// came from, and by emission for one row. Kept by its user and filled for one tuple after another.
class MergedRows {
 public:
  // Takes what was made of the first `rows` rows; row i was worked on by part part_of[i].
  void merge(std::span<const MadeRows> parts, std::span<const std::int32_t> part_of,
             std::int64_t rows);
  // The same for rows that are passed on, of which nobody asks which part it was: rows() is empty.
  void merge_passed(std::span<const MadeRows> parts, std::span<const std::int32_t> part_of,
                    std::int64_t rows);

  // The part, of those that made anything, and the row of what it made.
  [[nodiscard]] std::span<const tuple::RowRef> rows() const noexcept { return rows_; }
  [[nodiscard]] std::span<const std::int32_t> from() const noexcept { return from_; }

 private:
  std::vector<tuple::RowRef> rows_;
  std::vector<std::int32_t> from_;
  struct Part {
    std::int32_t batch = 0;
    std::size_t next = 0;
  };

  std::vector<Part> parts_;
  std::vector<std::uint8_t> passed_;  // by row
};

}  // namespace penstock::ops
