#include "penstock/ops/sliding_delta.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "penstock/ops/delta_windows.hpp"

namespace penstock::ops {

SlidingDelta::SlidingDelta(const tuple::Schema& input, const tuple::Schema& output,
                           const WindowOptions& options)
    : SlidingDelta(input, output, options, KeptColumns(input, options.aggregates)) {}

SlidingDelta::SlidingDelta(const tuple::Schema& input, const tuple::Schema& output,
                           const WindowOptions& options, KeptColumns kept)
    : Windows(input, output, options, kept.make_values()), kept_(std::move(kept)) {}

void SlidingDelta::take(std::int32_t row, std::uint32_t id, std::int64_t place) {
  Known& known = known_[id];
  if (known.rows.empty()) {
    known.closed_at = place;
  } else if (is_farther(place, known.closed_at, options().every, is_float())) {
    close_now(known, id, row);
    known.closed_at = place;
  }
  put({.place = place, .kept = kept_.keep(row)}, known);
  while (is_farther(known.rows[known.gone].place, place, options().size, is_float())) {
    bytes_ -= sizeof(Row) + known.rows[known.gone++].kept.size();
  }
  if (known.gone > known.rows.size() / 2) {
    known.rows.erase(known.rows.begin(),
                     known.rows.begin() + static_cast<std::ptrdiff_t>(known.gone));
    known.gone = 0;
  }
}

void SlidingDelta::put(Row row, Known& known) {
  bytes_ += sizeof(Row) + row.kept.size();
  known.rows.push_back(std::move(row));
}

void SlidingDelta::close_now(const Known& known, std::uint32_t id, std::int32_t row) {
  std::vector<std::string_view> rows;
  for (auto at = known.gone; at < known.rows.size(); ++at) rows.emplace_back(known.rows[at].kept);
  close(kept_.fold(rows, row, values()),
        {.start = known.rows[known.gone].place, .end = known.rows.back().place}, id, row);
}

void SlidingDelta::close_all(std::uint32_t id) {
  if (!known_[id].rows.empty()) close_now(known_[id], id, 0);
  forget_open(id);
}

void SlidingDelta::save_open(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  tuple::encode_value(known.closed_at, out);
  for (auto at = known.gone; at < known.rows.size(); ++at) {
    tuple::encode_value(known.rows[at].place, out);
    tuple::encode_bytes(known.rows[at].kept, out);
  }
}

void SlidingDelta::restore_open(std::uint32_t id, tuple::ValueReader& saved) {
  Known& known = known_[id];
  if (saved.has_value()) known.closed_at = saved.read<std::int64_t>();
  while (!saved.ended()) {
    Row row{.place = saved.has_value() ? saved.read<std::int64_t>() : 0, .kept = {}};
    if (saved.has_value()) row.kept = saved.read_bytes();
    put(std::move(row), known);
  }
}

void SlidingDelta::forget_open(std::uint32_t id) noexcept {
  Known& known = known_[id];
  for (auto at = known.gone; at < known.rows.size(); ++at) {
    bytes_ -= sizeof(Row) + known.rows[at].kept.size();
  }
  known = {};
}

std::size_t SlidingDelta::open_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + bytes_;
}

void SlidingDelta::reserve_open(std::uint32_t limit) {
  known_.resize(std::max<std::size_t>(limit, known_.size()));
}

Windows::Held SlidingDelta::held_by(std::uint32_t id) const noexcept {
  Held held;
  const Known& known = known_[id];
  for (std::size_t at = known.gone; at < known.rows.size(); ++at) {
    held.bytes += sizeof(Row) + known.rows[at].kept.size();
  }
  return held;
}

}  // namespace penstock::ops
