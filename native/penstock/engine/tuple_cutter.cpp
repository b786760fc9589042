#include "penstock/engine/tuple_cutter.hpp"

#include <algorithm>
#include <utility>

namespace penstock::engine {

TupleCutter::TupleCutter(std::unique_ptr<tuple::InputStream> input, Length length)
    : input_(std::move(input)), length_(length) {}

void TupleCutter::pull() {
  if (ended_) return;
  try {
    if (auto batch = input_->next()) {
      pending_ = std::move(*batch);
    } else {
      ended_ = true;
    }
  } catch (...) {
    error_ = std::current_exception();
    ended_ = true;
  }
}

void TupleCutter::stop() noexcept {
  pending_ = tuple::Batch();
  ended_ = true;
  error_ = nullptr;
}

tuple::Tuple TupleCutter::cut() {
  const std::int64_t rows = rows_of_next();
  tuple::Tuple tuple{.batch = pending_.slice(0, rows),
                     .origin = {.first = next_row_, .count = rows}};
  next_row_ += rows;
  pending_ =
      rows == pending_.rows() ? tuple::Batch() : pending_.slice(rows, pending_.rows() - rows);
  return tuple;
}

std::int64_t TupleCutter::rows_of_next() const noexcept {
  if (length_.rows != 0) return std::min(length_.rows, pending_.rows());
  return length_.by_cost ? found_.share_of(pending_.rows()) : pending_.rows();
}

void TupleCutter::close() noexcept {
  if (input_) input_->close();
  pending_ = tuple::Batch();
}

}  // namespace penstock::engine
