#include "penstock/loop/arrivals.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/tuple/bits.hpp"

namespace penstock::loop {

void Arrivals::set(tuple::Batch batch, int port) {
  end_ = batch.rows();
  next_ = 0;
  port_ = port;
  closes_ = false;
  run_end_ = columns_.empty() ? end_ : 0;
  views_.assign(columns_.size(), {});
  batch_ = std::move(batch);
}

void Arrivals::clear() noexcept {
  batch_ = {};
  views_.clear();
  next_ = end_ = 0;
}

int Arrivals::next_port() {
  if (next_ == run_end_) find_run();
  return port_;
}

void Arrivals::find_run() {
  const tuple::ColumnSlice column = batch_.column(0);
  const auto* const tags =
      static_cast<const std::int8_t*>(column.array->buffers[1]) + column.offset;
  const void* const valid = column.array->null_count == 0 ? nullptr : column.array->buffers[0];
  const auto is_null = [&](std::int64_t row) {
    return valid != nullptr && !tuple::bit_at(valid, column.offset + row);
  };
  const int tag = tags[next_];  // NOLINT(bugprone-signed-char-misuse): a small number
  closes_ = tag < 0;
  port_ = closes_ ? ~tag : tag;
  if (is_null(next_) || std::cmp_greater_equal(port_, columns_.size())) {
    throw std::invalid_argument("loop '" + loop_ + "' got a row for port " +
                                (is_null(next_) ? "null" : std::to_string(tag)) +
                                " in the first column, but its ports are 0 to " +
                                std::to_string(columns_.size() - 1));
  }
  const auto* const end = tags + end_;
  run_end_ = std::find_if(tags + next_, end, [tag](auto other) { return other != tag; }) - tags;
  if (valid == nullptr) return;
  for (std::int64_t row = next_; row < run_end_; ++row) {
    if (is_null(row)) run_end_ = row;
  }
}

tuple::Batch Arrivals::take(std::int64_t most) {
  const std::int64_t rows = std::min(most, run_end_ - next_);
  if (columns_.empty() && rows == batch_.rows()) {
    // Nobody else counts on it: one reference is moved, and none is made and dropped again.
    tuple::Batch whole = std::move(batch_);
    clear();
    return whole;
  }
  tuple::Batch taken = view().slice(next_, rows);
  next_ += rows;
  if (empty()) clear();
  return taken;
}

void Arrivals::skip() noexcept {
  if (++next_ == end_) clear();
}

const tuple::Batch& Arrivals::view() {
  if (columns_.empty()) return batch_;
  const auto port = static_cast<std::size_t>(port_);
  if (views_[port].is_nothing()) views_[port] = batch_.select(columns_[port]);
  return views_[port];
}

}  // namespace penstock::loop
