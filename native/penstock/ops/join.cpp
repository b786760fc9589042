#include "penstock/ops/join.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "penstock/ops/saved_values.hpp"

namespace penstock::ops {

Join::Join(const tuple::Schema& input, const tuple::Schema& output, TwoSides sides,
           std::optional<Span> span, Unmatched unmatched, const Options& options)
    : KeyedRows(input, output, options),
      sides_(std::move(sides)),
      span_(span),
      unmatched_(unmatched),
      codec_(input),
      nothing_(nothing_right(sides_)) {}

void Join::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  const TwoSidesReader reader(sides_, codec_, batch);
  for (std::int32_t at = 0; std::cmp_less(at, ids.size()); ++at) {
    const Side side = reader.side(at);
    if (reader.meets_none(at)) {
      if (side == Side::kLeft) give_unmatched(reader.encoded(at), at, made);
      continue;
    }
    meet(known_[ids[static_cast<std::size_t>(at)]], side,
         {.time = reader.time(at), .bytes = reader.encoded(at)}, at, made);
  }
}

void Join::meet(Known& known, Side side, Row row, std::int32_t from, Made& made) {
  if (span_ && row.time > known.latest) {
    known.latest = row.time;
    expire(known, from, made);
  }
  const bool is_left = side == Side::kLeft;
  Rows& others = is_left ? known.right : known.left;
  auto first = others.begin();
  auto last = others.end();
  if (span_) {
    first = std::ranges::lower_bound(first, last, earlier(row.time, span_->within), {}, &Row::time);
    last = std::ranges::upper_bound(first, last, later(row.time, span_->within), {}, &Row::time);
  }
  row.met = first != last;
  for (; first != last; ++first) {
    first->met = true;
    made_row_ = is_left ? row.bytes : first->bytes;
    made_row_ += is_left ? first->bytes : row.bytes;
    made.add(made_row_, from);
  }
  if (span_ && row.time < earlier(known.latest, span_->within)) {  // it came too late to be kept
    if (is_left && !row.met) give_unmatched(row.bytes, from, made);
    return;
  }
  keep(is_left ? known.left : known.right, std::move(row));
}

void Join::expire(Known& known, std::int32_t from, Made& made) {
  const std::int64_t first = earlier(known.latest, span_->within);
  for (Rows* const rows : {&known.left, &known.right}) {
    while (!rows->empty() && rows->front().time < first) {
      const Row& gone = rows->front();
      if (rows == &known.left && !gone.met) give_unmatched(gone.bytes, from, made);
      row_bytes_ -= sizeof(Row) + gone.bytes.capacity();
      rows->pop_front();
    }
  }
}

void Join::give_unmatched(std::string_view left, std::int32_t from, Made& made) {
  if (unmatched_ == Unmatched::kDropped) return;
  made_row_ = left;
  made_row_ += nothing_;
  made.add(made_row_, from);
}

void Join::keep(Rows& rows, Row row) {
  row_bytes_ += sizeof(Row) + row.bytes.capacity();
  const auto behind = std::ranges::upper_bound(rows.begin(), rows.end(), row.time, {}, &Row::time);
  rows.insert(behind, std::move(row));
}

// A row that left without a match does not do so again, should its flow go on from here.
void Join::flush(std::uint32_t id, Made& made) {
  for (Row& row : known_[id].left) {
    if (!std::exchange(row.met, true)) give_unmatched(row.bytes, 0, made);
  }
}

void Join::save(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  tuple::encode_value(known.latest, out);
  for (const Rows* const rows : {&known.left, &known.right}) {
    tuple::encode_value(static_cast<std::uint64_t>(rows->size()), out);
    for (const Row& row : *rows) {
      tuple::encode_value(row.time, out);
      tuple::encode_value(static_cast<std::uint8_t>(row.met), out);
      tuple::encode_bytes(row.bytes, out);
    }
  }
}

void Join::restore(std::uint32_t id, std::string_view saved) {
  Known& known = known_[id];
  SavedValues values(saved);
  known.latest = values.next<std::int64_t>();
  for (Rows* const rows : {&known.left, &known.right}) {
    for (auto left = values.next<std::uint64_t>(); left > 0; --left) {
      const auto time = values.next<std::int64_t>();
      const bool met = values.next<std::uint8_t>() != 0;
      keep(*rows, {.time = time, .met = met, .bytes = values.next_bytes()});
    }
  }
}

void Join::forget(std::uint32_t id) noexcept {
  Known& known = known_[id];
  for (const Rows* const rows : {&known.left, &known.right}) {
    for (const Row& row : *rows) row_bytes_ -= sizeof(Row) + row.bytes.capacity();
  }
  known = Known();
}

std::size_t Join::state_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + row_bytes_;
}

std::size_t Join::bytes_of(std::uint32_t id) const noexcept {
  std::size_t taken = 0;
  for (const Rows* const rows : {&known_[id].left, &known_[id].right}) {
    for (const Row& row : *rows) taken += sizeof(Row) + row.bytes.capacity();
  }
  return taken;
}

}  // namespace penstock::ops
