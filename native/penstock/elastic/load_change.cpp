#include "penstock/elastic/load_change.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace penstock::elastic {

LoadChangeRule load_change_rule(std::string_view word) {
  if (word == "literal") return LoadChangeRule::kLiteral;
  if (word == "confirmed") return LoadChangeRule::kConfirmed;
  throw std::invalid_argument("load_change is '" + std::string(word) +
                              "'; it must be 'literal' or 'confirmed'");
}

LoadChange LoadChangeDetector::update(const ThreadRecord* known, double throughput) {
  if (known == nullptr) {
    reset();
    return LoadChange::kNone;
  }
  if (rule_ == LoadChangeRule::kLiteral) {
    const double first = known->first_throughput;
    return std::abs(throughput - first) > sensitivity_ * first ? LoadChange::kCertain
                                                               : LoadChange::kNone;
  }
  const double usual = known->mean_throughput;
  if (throughput > usual * (1 + kConfirmedSensitivity)) return confirm(+1);
  if (throughput * (1 + kConfirmedSensitivity) < usual) return confirm(-1);
  reset();
  return LoadChange::kNone;
}

LoadChange LoadChangeDetector::confirm(int direction) {
  // Noise jumps both ways; a new load stays on one side.
  streak_ = streak_ * direction < 0 ? direction : streak_ + direction;
  if (std::abs(streak_) <= kConfirmations) return LoadChange::kPossible;
  reset();
  return LoadChange::kCertain;
}

}  // namespace penstock::elastic
