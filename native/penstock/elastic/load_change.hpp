#pragma once

#include <string_view>

#include "penstock/elastic/throughput_curve.hpp"

namespace penstock::elastic {

// How a controller tells a new load from noise.
enum class LoadChangeRule {
  kLiteral,    // as the paper says: one sample that differs by more than the sensitivity
  kConfirmed,  // six samples in a row, all higher or all lower by more than a fifth
};

enum class LoadChange { kNone, kPossible, kCertain };

// The word users write, "literal" or "confirmed"; throws std::invalid_argument for another one.
[[nodiscard]] LoadChangeRule load_change_rule(std::string_view word);

// Compares what a level yields with what it yielded before (changeInLoad() in Schneider & Wu 2017,
// Fig. 8, which the paper leaves open).
class LoadChangeDetector {
 public:
  static constexpr double kConfirmedSensitivity = 0.2;
  static constexpr int kConfirmations = 5;

  LoadChangeDetector(LoadChangeRule rule, double sensitivity)
      : rule_(rule), sensitivity_(sensitivity) {}

  // `known` is the trusted record of the current level, null when there is none.
  [[nodiscard]] LoadChange update(const ThreadRecord* known, double throughput);
  void reset() noexcept { streak_ = 0; }

 private:
  LoadChange confirm(int direction);

  LoadChangeRule rule_;
  double sensitivity_;
  // Samples in a row that differ; negative while they are lower.
  int streak_ = 0;
};

}  // namespace penstock::elastic
