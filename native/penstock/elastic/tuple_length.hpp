#pragma once

#include <chrono>
#include <cstdint>

namespace penstock::elastic {

// How long tuples are to be where it does not matter where they are cut: so long that a tuple keeps
// a thread for about kAimed. What a hop costs is nothing beside that, and yet threads that share a
// batch are all busy to its end, and a period of the control loop sees many tuples. Rows that cost
// little stay together, up to whole batches.
class TupleLength {
 public:
  static constexpr std::chrono::nanoseconds kAimed = std::chrono::milliseconds(2);
  static constexpr std::int64_t kFirst = 1'024;  // rows, while nothing is known
  static constexpr std::int64_t kLeast = 16;

  // A tuple of so many rows kept threads for so long.
  void took(std::int64_t rows, std::chrono::nanoseconds time) noexcept;

  // How many of the rows that are left of a batch the next tuple gets: even shares, so that none is
  // left with a few.
  [[nodiscard]] std::int64_t share_of(std::int64_t left) const noexcept;

 private:
  std::int64_t rows_ = kFirst;
};

}  // namespace penstock::elastic
