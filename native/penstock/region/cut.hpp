#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace penstock::region {

// The rows of a batch, sorted by the part they go to and, within a part, in their own order. Kept
// by its user and filled for one batch after another: a warm one costs no allocation.
class Cut {
 public:
  // Row i goes to `part_of[i]`, which is within 0 and `parts` - 1. At most 2^31 - 1 rows.
  void assign(std::span<const std::int32_t> part_of, int parts);

  [[nodiscard]] int parts() const noexcept { return static_cast<int>(ends_.size()); }

  // Valid until the next assign().
  [[nodiscard]] std::span<const std::int32_t> rows_of(int part) const noexcept;

 private:
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> ends_;
};

}  // namespace penstock::region
