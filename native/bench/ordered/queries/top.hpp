#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "bench/ordered/queries/row.hpp"

namespace penstock::bench::queries {

// The pairs with the highest counts, best first, while counts grow. Whoever drops out is behind so
// many that never fall back, and comes again when its own count grows.
class Top {
 public:
  explicit Top(std::size_t most) : most_(most) {}

  void offer(const Row& pair) {
    auto place = std::ranges::find_if(best_, [&pair](const Row& each) {
      return each.item == pair.item && each.other == pair.other;
    });
    if (place != best_.end()) {
      place->amount = pair.amount;
    } else if (best_.size() < most_) {
      place = best_.insert(best_.end(), pair);
    } else if (is_better(pair, best_.back())) {
      place = best_.end() - 1;
      *place = pair;
    } else {
      return;
    }
    for (; place != best_.begin() && is_better(*place, *(place - 1)); --place) {
      std::swap(*place, *(place - 1));
    }
  }

  [[nodiscard]] std::vector<Row> take() { return std::exchange(best_, {}); }

 private:
  [[nodiscard]] static bool is_better(const Row& one, const Row& two) noexcept {
    if (one.amount != two.amount) return one.amount > two.amount;
    return std::pair(one.item, one.other) < std::pair(two.item, two.other);
  }

  std::size_t most_;
  std::vector<Row> best_;
};

}  // namespace penstock::bench::queries
