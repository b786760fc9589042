#include "penstock/ops/time_windows.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace penstock::ops {

namespace {

std::int64_t round_down(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

}  // namespace

TimeWindows::TimeWindows(const tuple::Schema& input, const tuple::Schema& output,
                         const WindowOptions& options)
    : Windows(input, output, options, WindowValues(tuple::read_fields(input), options.aggregates)) {
}

void TimeWindows::take(std::int32_t row, std::uint32_t id, std::int64_t place) {
  check_distance(row, place);
  Known& known = known_[id];
  const auto& [size, every, offset, delay] =
      std::tie(options().size, options().every, options().offset, options().watermark);
  const std::int64_t closed =
      delay && known.latest ? *known.latest - *delay : std::numeric_limits<std::int64_t>::min();
  bool late = true;
  for (std::int64_t start = round_down(place - offset, every) + offset;
       start > place - size && start + size > closed; start -= every) {
    values().note(slot_at(start, known), row);
    late = false;
  }
  if (late) leave_out_late(row, place);
  if (known.latest && place <= *known.latest) return;
  known.latest = place;
  if (delay) close_until(place - *delay, known, id, row);
}

std::uint32_t TimeWindows::slot_at(std::int64_t start, Known& known) {
  auto place = std::ranges::lower_bound(known.open, start, {}, &Open::start);
  if (place == known.open.end() || place->start != start) {
    place = known.open.insert(place, {.start = start, .slot = values().open()});
    ++open_;
  }
  return place->slot;
}

void TimeWindows::close_until(std::int64_t until, Known& known, std::uint32_t id,
                              std::int32_t row) {
  auto open = known.open.begin();
  for (; open != known.open.end() && open->start + options().size <= until; ++open) {
    close(open->slot, {.start = open->start, .end = open->start + options().size}, id, row);
    --open_;
  }
  known.open.erase(known.open.begin(), open);
}

void TimeWindows::close_all(std::uint32_t id) {
  close_until(std::numeric_limits<std::int64_t>::max(), known_[id], id, 0);
}

void TimeWindows::save_open(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  known.latest ? tuple::encode_value(*known.latest, out) : tuple::encode_null(out);
  for (const Open& open : known.open) {
    tuple::encode_value(open.start, out);
    values().save(open.slot, out);
  }
}

void TimeWindows::restore_open(std::uint32_t id, tuple::ValueReader& saved) {
  Known& known = known_[id];
  if (saved.has_value()) known.latest = saved.read<std::int64_t>();
  while (!saved.ended()) {
    const auto start = saved.has_value() ? saved.read<std::int64_t>() : 0;
    known.open.push_back({.start = start, .slot = values().open()});
    values().restore(known.open.back().slot, saved);
    ++open_;
  }
}

void TimeWindows::forget_open(std::uint32_t id) noexcept {
  open_ -= known_[id].open.size();
  for (const Open& open : known_[id].open) values().close(open.slot);
  known_[id] = {};
}

std::size_t TimeWindows::open_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + (open_ * sizeof(Open));
}

void TimeWindows::reserve_open(std::uint32_t limit) {
  known_.resize(std::max<std::size_t>(limit, known_.size()));
}

Windows::Held TimeWindows::held_by(std::uint32_t id) const noexcept {
  const std::size_t open = known_[id].open.size();
  return {.bytes = open * sizeof(Open), .slots = open};
}

}  // namespace penstock::ops
