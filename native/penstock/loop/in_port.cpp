#include "penstock/loop/in_port.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace penstock::loop {

InPort::InPort(std::string loop, std::string name, const tuple::Schema& schema)
    : loop_(std::move(loop)),
      name_(std::move(name)),
      concatenator_(schema),
      gatherer_(schema),
      empty_(gatherer_.gather({}, {})) {}

void InPort::arrive(tuple::Batch batch) {
  if (batch.rows() == 0) return;
  rows_ += batch.rows();
  waiting_.push_back(std::move(batch));
}

tuple::Batch InPort::take(std::int64_t rows) {
  if (rows < 0 || rows > rows_) {
    throw std::out_of_range("loop '" + loop_ + "' cannot take " + std::to_string(rows) +
                            " rows of port '" + name_ + "', where " + std::to_string(rows_) +
                            " wait: wait for them first");
  }
  if (rows == 0) return empty_;
  if (rows <= front().rows()) return take_of_front(rows);
  std::vector<tuple::Batch> parts;
  for (std::int64_t left = rows; left > 0; left -= parts.back().rows()) {
    parts.push_back(take_of_front(std::min(left, front().rows())));
  }
  return join(parts);
}

tuple::Batch InPort::take_of_front(std::int64_t rows) {
  tuple::Batch& batch = waiting_[gone_];
  if (rows == batch.rows()) return take_batch();
  tuple::Batch taken = batch.slice(0, rows);
  batch = batch.slice(rows, batch.rows() - rows);
  rows_ -= rows;
  return taken;
}

tuple::Batch InPort::take_batch() {
  if (rows_ == 0) return empty_;
  tuple::Batch taken = std::move(waiting_[gone_]);
  rows_ -= taken.rows();
  // The others are moved down now and then, so each moves about once.
  if (++gone_ * 2 >= waiting_.size()) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(gone_));
    gone_ = 0;
  }
  return taken;
}

tuple::Batch InPort::join(std::span<const tuple::Batch> parts) const {
  if (concatenator_.can_join()) return concatenator_.join(parts);
  std::vector<tuple::RowRef> rows;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::int64_t row = 0; row < parts[part].rows(); ++row) {
      rows.push_back(
          {.batch = static_cast<std::int32_t>(part), .row = static_cast<std::int32_t>(row)});
    }
  }
  return gatherer_.gather(parts, rows);
}

}  // namespace penstock::loop
