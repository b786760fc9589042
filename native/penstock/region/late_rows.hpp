#pragma once

#include <cstdint>

namespace penstock::region {

// An operator that leaves out rows because they came too late: a result that lacks them looks like
// any other, so they are counted.
class LateRows {
 public:
  LateRows() = default;
  LateRows(const LateRows&) = delete;
  LateRows& operator=(const LateRows&) = delete;
  LateRows(LateRows&&) = delete;
  LateRows& operator=(LateRows&&) = delete;
  virtual ~LateRows() = default;

  // Since the beginning. From any thread.
  [[nodiscard]] virtual std::int64_t late() const noexcept = 0;
};

}  // namespace penstock::region
