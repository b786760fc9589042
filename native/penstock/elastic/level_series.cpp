#include "penstock/elastic/level_series.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace penstock::elastic {

namespace {

void check_range(ThreadRange range) {
  if (range.least < 1 || range.most < range.least || range.most > kMostThreads) {
    throw std::invalid_argument(
        "minimum " + std::to_string(range.least) + " and maximum " + std::to_string(range.most) +
        " must satisfy 1 <= minimum <= maximum <= " + std::to_string(kMostThreads));
  }
}

void check_levels(const std::vector<int>& levels) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] < 1 || levels[i] > kMostThreads) {
      throw std::invalid_argument("levels[" + std::to_string(i) + "] is " +
                                  std::to_string(levels[i]) + "; a level is between 1 and " +
                                  std::to_string(kMostThreads) + " threads");
    }
    if (i > 0 && levels[i] <= levels[i - 1]) {
      throw std::invalid_argument(
          "levels[" + std::to_string(i) + "] is " + std::to_string(levels[i]) + " after " +
          std::to_string(levels[i - 1]) + "; levels must rise, so sort them and drop doubles");
    }
  }
}

std::vector<int> every_level(ThreadRange range) {
  std::vector<int> levels(static_cast<std::size_t>(range.most - range.least + 1));
  std::iota(levels.begin(), levels.end(), range.least);
  return levels;
}

}  // namespace

LevelSeries::LevelSeries(std::vector<int> levels, ThreadRange range) : listed_(std::move(levels)) {
  check_range(range);
  check_levels(listed_);
  *this = within(range);
  if (!listed_.empty() && !std::ranges::binary_search(listed_, least())) {
    throw std::invalid_argument("none of the levels, " + std::to_string(listed_.front()) + " to " +
                                std::to_string(listed_.back()) + ", is between the minimum " +
                                std::to_string(range.least) + " and the maximum " +
                                std::to_string(range.most) + "; change the list or the limits");
  }
}

LevelSeries LevelSeries::within(ThreadRange range) const {
  check_range(range);
  LevelSeries result;
  result.listed_ = listed_;
  result.range_ = range;
  if (listed_.empty()) {
    result.allowed_ = every_level(range);
    return result;
  }
  std::ranges::copy_if(listed_, std::back_inserter(result.allowed_),
                       [&](int level) { return range.least <= level && level <= range.most; });
  if (result.allowed_.empty()) result.allowed_.push_back(range.least);
  return result;
}

bool LevelSeries::contains(int level) const { return std::ranges::binary_search(allowed_, level); }

std::optional<int> LevelSeries::above(int level) const {
  const auto next = std::ranges::upper_bound(allowed_, level);
  if (next == allowed_.end()) return std::nullopt;
  const auto beyond_double = std::ranges::upper_bound(allowed_, 2 * level);
  return beyond_double == next ? *next : *std::prev(beyond_double);
}

std::optional<int> LevelSeries::below(int level) const {
  const auto here = std::ranges::lower_bound(allowed_, level);
  if (here == allowed_.begin()) return std::nullopt;
  const auto half = std::ranges::lower_bound(allowed_, (level + 1) / 2);
  return half == here ? *std::prev(here) : *half;
}

std::optional<int> LevelSeries::between(int low, int high, double wanted) const {
  const auto first = std::ranges::upper_bound(allowed_, low);
  const auto last = std::lower_bound(first, allowed_.end(), high);
  if (first == last) return std::nullopt;
  return *std::ranges::min_element(first, last, {}, [wanted](int level) {
    return std::abs(static_cast<double>(level) - wanted);
  });
}

int LevelSeries::nearest(int level) const {
  const auto found = std::ranges::lower_bound(allowed_, level);
  return found == allowed_.end() ? allowed_.back() : *found;
}

int LevelSeries::climb() const {
  int steps = 0;
  for (auto level = above(least()); level; level = above(*level)) ++steps;
  return steps;
}

}  // namespace penstock::elastic
