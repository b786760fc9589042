#include "penstock/ops/delta_windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace penstock::ops {

bool is_farther(std::int64_t one, std::int64_t other, std::int64_t than, bool is_float) noexcept {
  if (is_float) {
    const auto [left, right] = std::pair(std::bit_cast<double>(one), std::bit_cast<double>(other));
    // Infinity is at no distance from itself, though their difference is no number.
    return left != right && std::abs(left - right) > std::bit_cast<double>(than);
  }
  const auto [low, high] = std::minmax(one, other);
  const auto apart = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return std::cmp_greater(apart, than);
}

DeltaWindows::DeltaWindows(const tuple::Schema& input, const tuple::Schema& output,
                           const WindowOptions& options)
    : Windows(input, output, options, WindowValues(tuple::read_fields(input), options.aggregates)) {
}

void DeltaWindows::take(std::int32_t row, std::uint32_t id, std::int64_t place) {
  auto& open = known_[id];
  if (open && is_farther(place, open->bounds.start, options().size, is_float())) {
    close(open->slot, open->bounds, id, row);
    open.reset();
  }
  if (!open) open = {.bounds = {.start = place, .end = place}, .slot = values().open()};
  open->bounds.end = place;
  values().note(open->slot, row);
}

void DeltaWindows::close_all(std::uint32_t id) {
  auto& open = known_[id];
  if (open) close(open->slot, open->bounds, id, 0);
  open.reset();
}

void DeltaWindows::save_open(std::uint32_t id, std::string& out) const {
  const auto& open = known_[id];
  if (!open) return;
  tuple::encode_value(open->bounds.start, out);
  tuple::encode_value(open->bounds.end, out);
  values().save(open->slot, out);
}

void DeltaWindows::restore_open(std::uint32_t id, tuple::ValueReader& saved) {
  if (saved.ended()) return;
  const auto start = saved.has_value() ? saved.read<std::int64_t>() : 0;
  const auto end = saved.has_value() ? saved.read<std::int64_t>() : 0;
  known_[id] = {.bounds = {.start = start, .end = end}, .slot = values().open()};
  values().restore(known_[id]->slot, saved);
}

void DeltaWindows::forget_open(std::uint32_t id) noexcept {
  if (known_[id]) values().close(known_[id]->slot);
  known_[id].reset();
}

std::size_t DeltaWindows::open_bytes() const noexcept {
  return known_.capacity() * sizeof(known_[0]);
}

void DeltaWindows::reserve_open(std::uint32_t limit) {
  known_.resize(std::max<std::size_t>(limit, known_.size()));
}

Windows::Held DeltaWindows::held_by(std::uint32_t id) const noexcept {
  return {.bytes = 0, .slots = known_[id] ? std::size_t{1} : 0};
}

}  // namespace penstock::ops
