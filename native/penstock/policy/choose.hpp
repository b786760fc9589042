#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "penstock/policy/policy.hpp"

namespace penstock::policy {

// The schedulable operator with the least score, and of several the earliest one; kNobody if none
// is schedulable. `score(place)` may be infinite, but a number.
template <typename Score>
[[nodiscard]] int least(std::span<const OperatorView> operators, Score score) {
  int chosen = kNobody;
  double lowest = 0;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (!schedulable(operators[i])) continue;
    const double value = score(i);
    if (chosen != kNobody && !(value < lowest)) continue;
    chosen = static_cast<int>(i);
    lowest = value;
  }
  return chosen;
}

// The last schedulable operator; kNobody if there is none.
[[nodiscard]] inline int furthest(std::span<const OperatorView> operators) noexcept {
  for (std::size_t i = operators.size(); i > 0; --i) {
    if (schedulable(operators[i - 1])) return static_cast<int>(i - 1);
  }
  return kNobody;
}

// Chooses by lot; the same seed gives the same choices.
class Lot {
 public:
  explicit Lot(std::uint64_t seed) : bits_(seed) {}

  // One of these, or kNobody if there are none.
  [[nodiscard]] int draw(const std::vector<int>& places) {
    // The remainder favours the first ones by less than one in 2^50. Unlike std's distributions it
    // is the same wherever it is compiled.
    return places.empty() ? kNobody : places[bits_() % places.size()];
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace penstock::policy
