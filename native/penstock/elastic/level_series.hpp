#pragma once

#include <optional>
#include <vector>

namespace penstock::elastic {

// More would only be a typing error: no machine runs a PE on this many threads.
inline constexpr int kMostThreads = 65'536;

// Least and most threads a PE may use.
struct ThreadRange {
  int least = 1;
  int most = 1;
};

// The thread levels a controller may choose, and the steps it takes between them: doubling on the
// way up, halving on the way down, bisection in between.
class LevelSeries {
 public:
  // `levels` empty means every level of the range. Throws std::invalid_argument, naming the value
  // and what is allowed.
  LevelSeries(std::vector<int> levels, ThreadRange range);

  [[nodiscard]] int least() const noexcept { return allowed_.front(); }
  [[nodiscard]] int most() const noexcept { return allowed_.back(); }
  [[nodiscard]] bool contains(int level) const;
  [[nodiscard]] ThreadRange range() const noexcept { return range_; }

  // The same levels within another range. Where that leaves none, its least level is the only one:
  // a PE that needs n threads gets them even if n is not in the list.
  [[nodiscard]] LevelSeries within(ThreadRange range) const;

  // The highest level up to twice `level`, else the next one; empty at the top.
  [[nodiscard]] std::optional<int> above(int level) const;
  // The lowest level down to half of `level`, else the next one; empty at the bottom.
  [[nodiscard]] std::optional<int> below(int level) const;
  // The level nearest to `wanted` strictly between two levels; empty when they are neighbours.
  [[nodiscard]] std::optional<int> between(int low, int high, double wanted) const;
  // The level itself, or the nearest one that is allowed, upwards first.
  [[nodiscard]] int nearest(int level) const;
  // How many steps of above() lead from the bottom to the top.
  [[nodiscard]] int climb() const;

 private:
  LevelSeries() = default;

  std::vector<int> listed_;
  std::vector<int> allowed_;
  ThreadRange range_;
};

}  // namespace penstock::elastic
