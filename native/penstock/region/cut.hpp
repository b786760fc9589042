#pragma once

#include <cstddef>
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
  // Row i goes where the high half of `hashes[i]` lies among so many equal ranges: a table places
  // keys by the low half. `parts` is at least 1.
  void assign_by_hash(std::span<const std::uint64_t> hashes, int parts);

  [[nodiscard]] int parts() const noexcept { return static_cast<int>(ends_.size()); }

  // Of each row; after assign_by_hash() only.
  [[nodiscard]] std::span<const std::int32_t> part_of() const noexcept { return part_of_; }

  // Valid until the next assign().
  [[nodiscard]] std::span<const std::int32_t> rows_of(int part) const noexcept;
  // Those of all parts, one part behind the other, and where the rows of a part begin.
  [[nodiscard]] std::span<const std::int32_t> rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t begin_of(int part) const noexcept {
    return part == 0 ? 0 : static_cast<std::size_t>(ends_[static_cast<std::size_t>(part) - 1]);
  }

 private:
  // Sorts the rows, of which each part has as many as ends_ says.
  void put_down(std::span<const std::int32_t> part_of);

  std::vector<std::int32_t> part_of_;
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> ends_;
};

}  // namespace penstock::region
