#include "penstock/ops/compiled/merged_rows.hpp"

#include <algorithm>

namespace penstock::ops {

void MergedRows::merge(std::span<const MadeRows> parts, std::span<const std::int32_t> part_of,
                       std::int64_t rows) {
  rows_.clear();
  from_.clear();
  parts_.assign(parts.size(), {});
  std::int32_t batches = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].from().empty()) parts_[i].batch = batches++;
  }
  for (std::int32_t row = 0; row < rows; ++row) {
    const auto part = static_cast<std::size_t>(part_of[static_cast<std::size_t>(row)]);
    const auto from = parts[part].from();
    auto& [batch, next] = parts_[part];
    for (; next < from.size() && from[next] == row; ++next) {
      rows_.push_back({.batch = batch, .row = static_cast<std::int32_t>(next)});
      from_.push_back(row);
    }
  }
}

void MergedRows::merge_passed(std::span<const MadeRows> parts,
                              std::span<const std::int32_t> part_of, std::int64_t rows) {
  if (std::ranges::any_of(parts, &MadeRows::repeats)) {
    merge(parts, part_of, rows);
    rows_.clear();
    return;
  }
  const auto end = static_cast<std::size_t>(rows);
  passed_.assign(part_of.size(), 0);
  for (const MadeRows& part : parts) {
    for (const std::int32_t row : part.from()) passed_[static_cast<std::size_t>(row)] = 1;
  }
  rows_.clear();
  from_.resize(end);
  // Without a branch that could be mispredicted.
  std::size_t made = 0;
  for (std::size_t row = 0; row < end; ++row) {
    from_[made] = static_cast<std::int32_t>(row);
    made += passed_[row];
  }
  from_.resize(made);
}

}  // namespace penstock::ops
