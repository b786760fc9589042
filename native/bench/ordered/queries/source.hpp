#pragma once

#include <cstddef>

#include "bench/ordered/queries/input.hpp"

namespace penstock::bench::queries {

// The rows of an input, and between them marks: at every hour, and otherwise at equal intervals to
// measure latency by (P15). For one thread at a time.
class Source {
 public:
  explicit Source(const Input& input) : input_(&input) {}

  [[nodiscard]] bool empty() const noexcept { return next_ == input_->rows.size(); }

  // What comes next; it comes again until it is moved past.
  [[nodiscard]] Row next() const {
    const Row& row = input_->rows[next_];
    return is_marked() ? Row{.at = row.at, .time = row.time, .mark = true} : row;
  }
  void move_past() noexcept {
    if (is_marked()) {
      marked_ = true;
    } else {
      ++next_;
      marked_ = false;
    }
  }

 private:
  static constexpr std::size_t kMarkEvery = 128;

  // Whether a mark is due before the next row.
  [[nodiscard]] bool is_marked() const noexcept {
    if (marked_) return false;
    if (next_ % kMarkEvery == 0) return true;
    const auto& rows = input_->rows;
    return rows[next_].time / kHour != rows[next_ - 1].time / kHour;
  }

  const Input* input_;
  std::size_t next_ = 0;
  bool marked_ = false;  // the next row has had its mark
};

}  // namespace penstock::bench::queries
