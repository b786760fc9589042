#include "penstock/ops/throttle.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace penstock::ops {

Throttle::Throttle(double rows_per_second, Waiting waiting)
    : per_row_(0), waiting_(std::move(waiting)) {
  constexpr double kSecond = 1e9;
  constexpr double kLongest = 1e15;  // eleven days; what is longer ends no sooner
  if (!(rows_per_second > 0)) {
    throw std::invalid_argument("rows pass at a rate above 0 in a second, got " +
                                std::to_string(rows_per_second));
  }
  per_row_ = Time(std::llround(std::min(kSecond / rows_per_second, kLongest)));
}

void Throttle::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  Time now = waiting_.now();
  // A tuple leaves as a whole, when the last of its rows may.
  const Time leaves = std::max(next_, now) + (per_row_ * (tuple.batch.rows() - 1));
  while (now < leaves) {
    waiting_.until(leaves);
    now = waiting_.now();
  }
  next_ = leaves + per_row_;
  output.emit(tuple.batch, 0);
}

}  // namespace penstock::ops
