#include "penstock/region/cut.hpp"

#include <limits>

#include "penstock/base/check.hpp"

namespace penstock::region {

void Cut::assign(std::span<const std::int32_t> part_of, int parts) {
  ends_.assign(static_cast<std::size_t>(parts), 0);
  for (const std::int32_t part : part_of) {
    PENSTOCK_CHECK(part >= 0 && part < parts, "every row must go to a part that exists");
    ++ends_[static_cast<std::size_t>(part)];
  }
  put_down(part_of);
}

void Cut::assign_by_hash(std::span<const std::uint64_t> hashes, int parts) {
  PENSTOCK_CHECK(parts >= 1, "every row must go to a part that exists");
  const auto all = static_cast<std::uint64_t>(parts);
  part_of_.resize(hashes.size());
  ends_.assign(static_cast<std::size_t>(parts), 0);
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    const std::uint64_t part = ((hashes[row] >> 32U) * all) >> 32U;
    part_of_[row] = static_cast<std::int32_t>(part);
    ++ends_[part];
  }
  put_down(part_of_);
}

void Cut::put_down(std::span<const std::int32_t> part_of) {
  PENSTOCK_CHECK(part_of.size() <= std::numeric_limits<std::int32_t>::max(),
                 "rows of a batch are counted with 31 bits");
  rows_.resize(part_of.size());
  std::int32_t begin = 0;
  for (std::int32_t& end : ends_) {
    const std::int32_t count = end;
    end = begin;
    begin += count;
  }
  // Each end is its part's begin here, and moves to where it belongs with the rows put down.
  std::int32_t row = 0;
  for (const std::int32_t part : part_of) {
    rows_[static_cast<std::size_t>(ends_[static_cast<std::size_t>(part)]++)] = row++;
  }
}

std::span<const std::int32_t> Cut::rows_of(int part) const noexcept {
  const std::size_t begin = begin_of(part);
  const auto end = static_cast<std::size_t>(ends_[static_cast<std::size_t>(part)]);
  return std::span(rows_).subspan(begin, end - begin);
}

}  // namespace penstock::region
