#include "penstock/elastic/tuple_length.hpp"

#include <algorithm>
#include <limits>

namespace penstock::elastic {

void TupleLength::took(std::int64_t rows, std::chrono::nanoseconds time) noexcept {
  if (rows <= 0 || time.count() <= 0) return;
  const double wanted = static_cast<double>(rows) * static_cast<double>(kAimed.count()) /
                        static_cast<double>(time.count());
  constexpr double kMost = std::numeric_limits<std::int32_t>::max();  // longer than any batch
  rows_ = static_cast<std::int64_t>(std::clamp(wanted, static_cast<double>(kLeast), kMost));
}

std::int64_t TupleLength::share_of(std::int64_t left) const noexcept {
  const std::int64_t tuples = (left + rows_ - 1) / rows_;
  return tuples <= 1 ? left : (left + tuples - 1) / tuples;
}

}  // namespace penstock::elastic
