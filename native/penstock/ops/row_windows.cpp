#include "penstock/ops/row_windows.hpp"

#include <algorithm>
#include <utility>

namespace penstock::ops {

RowWindows::RowWindows(const tuple::Schema& input, const tuple::Schema& output,
                       const WindowOptions& options)
    : Windows(input, output, options, WindowValues(tuple::read_fields(input), options.aggregates)) {
}

// Window k, from 1 on, ends behind row k * every: row n is in those from n / every + 1 to
// (n + size) / every.
void RowWindows::take(std::int32_t row, std::uint32_t id, std::int64_t /*place*/) {
  Known& known = known_[id];
  const auto [size, every] = std::pair(options().size, options().every);
  const std::int64_t first = (known.rows / every) + 1;
  const std::int64_t last = (known.rows + size) / every;
  while (std::ssize(known.open) < last - first + 1) {
    known.open.push_back(values().open());
    ++open_;
  }
  for (const auto slot : known.open) values().note(slot, row);
  if (++known.rows % every != 0) return;
  close(known.open.front(),
        {.start = std::max<std::int64_t>(known.rows - size, 0), .end = known.rows}, id, row);
  known.open.erase(known.open.begin());
  --open_;
}

void RowWindows::close_all(std::uint32_t id) {
  Known& known = known_[id];
  std::int64_t end = (known.rows / options().every) * options().every;
  for (const auto slot : known.open) {
    end += options().every;
    close(slot, {.start = std::max<std::int64_t>(end - options().size, 0), .end = known.rows}, id,
          0);
  }
  open_ -= known.open.size();
  known.open.clear();
}

void RowWindows::save_open(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  tuple::encode_value(known.rows, out);
  for (const auto slot : known.open) values().save(slot, out);
}

void RowWindows::restore_open(std::uint32_t id, tuple::ValueReader& saved) {
  Known& known = known_[id];
  known.rows = saved.has_value() ? saved.read<std::int64_t>() : 0;
  while (!saved.ended()) {
    values().restore(known.open.emplace_back(values().open()), saved);
    ++open_;
  }
}

void RowWindows::forget_open(std::uint32_t id) noexcept {
  open_ -= known_[id].open.size();
  for (const auto slot : known_[id].open) values().close(slot);
  known_[id] = {};
}

std::size_t RowWindows::open_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + (open_ * sizeof(std::uint32_t));
}

void RowWindows::reserve_open(std::uint32_t limit) {
  known_.resize(std::max<std::size_t>(limit, known_.size()));
}

Windows::Held RowWindows::held_by(std::uint32_t id) const noexcept {
  const std::size_t open = known_[id].open.size();
  return {.bytes = open * sizeof(std::uint32_t), .slots = open};
}

}  // namespace penstock::ops
