#include "penstock/ops/session_windows.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

namespace penstock::ops {

namespace {

template <typename Value>
Value read(tuple::ValueReader& saved) {
  return saved.has_value() ? saved.read<Value>() : Value{};
}

}  // namespace

SessionWindows::SessionWindows(const tuple::Schema& input, const tuple::Schema& output,
                               const WindowOptions& options)
    : SessionWindows(input, output, options, KeptColumns(input, options.aggregates)) {}

SessionWindows::SessionWindows(const tuple::Schema& input, const tuple::Schema& output,
                               const WindowOptions& options, KeptColumns kept)
    : Windows(input, output, options, kept.make_values()), kept_(std::move(kept)) {}

void SessionWindows::take(std::int32_t row, std::uint32_t id, std::int64_t place) {
  check_distance(row, place);
  Known& known = known_[id];
  const auto& delay = options().watermark;
  const std::int64_t arrival = known.rows++;
  if (delay && known.latest && place + options().size <= *known.latest - *delay) {
    leave_out_late(row, place);
    return;
  }
  add(place, {.arrival = arrival, .kept = kept_.keep(row)}, known);
  if (known.latest && place <= *known.latest) return;
  known.latest = place;
  if (delay) close_until(place - *delay, known, id, row);
}

void SessionWindows::add(std::int64_t place, Row row, Known& known) {
  const std::int64_t gap = options().size;
  auto& sessions = known.sessions;
  // The sessions that the row touches are next to each other.
  const auto touched = std::ranges::partition_point(
      sessions, [&](const Session& each) { return each.last + gap < place; });
  const auto end = std::partition_point(
      touched, sessions.end(), [&](const Session& each) { return each.first <= place + gap; });
  if (touched == end) {
    const auto made = sessions.insert(touched, {.first = place, .last = place, .rows = {}});
    bytes_ += made->bytes;
    put(std::move(row), *made);
    return;
  }
  touched->first = std::min(touched->first, place);
  touched->last = std::max(std::prev(end)->last, place);
  auto& rows = touched->rows;
  for (auto other = std::next(touched); other != end; ++other) {
    std::vector<Row> merged;
    merged.reserve(rows.size() + other->rows.size() + 1);
    std::merge(std::move_iterator(rows.begin()), std::move_iterator(rows.end()),
               std::move_iterator(other->rows.begin()), std::move_iterator(other->rows.end()),
               std::back_inserter(merged),
               [](const Row& one, const Row& two) { return one.arrival < two.arrival; });
    rows = std::move(merged);
    touched->bytes += other->bytes;
  }
  put(std::move(row), *touched);
  sessions.erase(std::next(touched), end);
}

void SessionWindows::put(Row row, Session& session) {
  const std::size_t taken = sizeof(Row) + row.kept.size();
  session.rows.push_back(std::move(row));
  session.bytes += taken;
  bytes_ += taken;
}

void SessionWindows::close_until(std::int64_t until, Known& known, std::uint32_t id,
                                 std::int32_t row) {
  auto session = known.sessions.begin();
  for (; session != known.sessions.end() && session->last + options().size <= until; ++session) {
    std::vector<std::string_view> rows;
    rows.reserve(session->rows.size());
    for (const Row& each : session->rows) rows.emplace_back(each.kept);
    close(kept_.fold(rows, row, values()),
          {.start = session->first, .end = session->last + options().size}, id, row);
    bytes_ -= session->bytes;
  }
  known.sessions.erase(known.sessions.begin(), session);
}

void SessionWindows::close_all(std::uint32_t id) {
  close_until(std::numeric_limits<std::int64_t>::max(), known_[id], id, 0);
}

void SessionWindows::save_open(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  known.latest ? tuple::encode_value(*known.latest, out) : tuple::encode_null(out);
  tuple::encode_value(known.rows, out);
  for (const Session& session : known.sessions) {
    tuple::encode_value(session.first, out);
    tuple::encode_value(session.last, out);
    tuple::encode_value(session.rows.size(), out);
    for (const Row& row : session.rows) {
      tuple::encode_value(row.arrival, out);
      tuple::encode_bytes(row.kept, out);
    }
  }
}

void SessionWindows::restore_open(std::uint32_t id, tuple::ValueReader& saved) {
  Known& known = known_[id];
  if (saved.has_value()) known.latest = saved.read<std::int64_t>();
  known.rows = read<std::int64_t>(saved);
  while (!saved.ended()) {
    Session& session = known.sessions.emplace_back();
    bytes_ += session.bytes;
    session.first = read<std::int64_t>(saved);
    session.last = read<std::int64_t>(saved);
    for (auto left = read<std::size_t>(saved); left > 0; --left) {
      Row row{.arrival = read<std::int64_t>(saved), .kept = {}};
      if (saved.has_value()) row.kept = saved.read_bytes();
      put(std::move(row), session);
    }
  }
}

void SessionWindows::forget_open(std::uint32_t id) noexcept {
  for (const Session& session : known_[id].sessions) bytes_ -= session.bytes;
  known_[id] = {};
}

std::size_t SessionWindows::open_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + bytes_;
}

void SessionWindows::reserve_open(std::uint32_t limit) {
  known_.resize(std::max<std::size_t>(limit, known_.size()));
}

Windows::Held SessionWindows::held_by(std::uint32_t id) const noexcept {
  Held held;
  for (const Session& session : known_[id].sessions) held.bytes += session.bytes;
  return held;
}

}  // namespace penstock::ops
