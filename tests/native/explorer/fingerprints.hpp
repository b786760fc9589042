#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace penstock::explorer {

// Counts distinct schedules: a flat set of their fingerprints. Beyond kMost it counts no more,
// so that a night of a billion schedules does not need the memory for all of them.
class Fingerprints {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 24U;

  void add(std::uint64_t fingerprint) {
    if (seen_ == kMost) return;
    ++seen_;
    if (distinct_ * 2 >= slots_.size()) grow();
    distinct_ += insert(fingerprint | 1U);
  }

  // The share of distinct ones among those counted, in percent.
  [[nodiscard]] double distinct_percent() const noexcept {
    return seen_ == 0 ? 0.0 : 100.0 * static_cast<double>(distinct_) / static_cast<double>(seen_);
  }
  [[nodiscard]] std::size_t distinct() const noexcept { return distinct_; }

 private:
  std::size_t insert(std::uint64_t fingerprint) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = (fingerprint >> 16U) & mask;; i = (i + 1) & mask) {
      if (slots_[i] == fingerprint) return 0;
      if (slots_[i] != 0) continue;
      slots_[i] = fingerprint;
      return 1;
    }
  }

  void grow() {
    auto old = std::exchange(slots_, std::vector<std::uint64_t>(slots_.size() * 4));
    for (const auto fingerprint : old) {
      if (fingerprint != 0) insert(fingerprint);
    }
  }

  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(1024);
  std::size_t seen_ = 0;
  std::size_t distinct_ = 0;
};

}  // namespace penstock::explorer
