#include "penstock/ops/asof_join.hpp"

#include <utility>

#include "penstock/ops/ascending.hpp"
#include "penstock/ops/saved_values.hpp"

namespace penstock::ops {

AsofJoin::AsofJoin(const tuple::Schema& input, const tuple::Schema& output, TwoSides sides,
                   std::optional<std::int64_t> tolerance, const Options& options)
    : KeyedRows(input, output, options),
      sides_(std::move(sides)),
      tolerance_(tolerance),
      codec_(input),
      nothing_(nothing_right(sides_)) {}

void AsofJoin::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  const TwoSidesReader reader(sides_, codec_, batch);
  const auto& time_name = codec_.fields()[static_cast<std::size_t>(sides_.time)].name;
  for (std::int32_t at = 0; std::cmp_less(at, ids.size()); ++at) {
    const bool is_left = reader.side(at) == Side::kLeft;
    if (reader.meets_none(at)) {
      if (is_left) made.add(reader.encoded(at) + nothing_, at);
      continue;
    }
    Known& known = known_[ids[static_cast<std::size_t>(at)]];
    const std::int64_t time = reader.time(at);
    check_ascends(known.latest, time, time_name, at);
    known.latest = time;
    if (!is_left) {
      remember(known, time, reader.encoded(at));
    } else {
      made.add(reader.encoded(at) + (is_near(known, time) ? *known.right : nothing_), at);
    }
  }
}

bool AsofJoin::is_near(const Known& known, std::int64_t time) const noexcept {
  return known.right && (!tolerance_ || known.time >= earlier(time, *tolerance_));
}

void AsofJoin::remember(Known& known, std::int64_t time, std::string right) {
  if (known.right) row_bytes_ -= known.right->capacity();
  known.time = time;
  known.right = std::move(right);
  row_bytes_ += known.right->capacity();
}

void AsofJoin::save(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  tuple::encode_value(known.latest, out);
  tuple::encode_value(static_cast<std::uint8_t>(known.right.has_value()), out);
  if (!known.right) return;
  tuple::encode_value(known.time, out);
  tuple::encode_bytes(*known.right, out);
}

void AsofJoin::restore(std::uint32_t id, std::string_view saved) {
  SavedValues values(saved);
  known_[id].latest = values.next<std::int64_t>();
  if (values.next<std::uint8_t>() == 0) return;
  const auto time = values.next<std::int64_t>();
  remember(known_[id], time, values.next_bytes());
}

void AsofJoin::forget(std::uint32_t id) noexcept {
  if (known_[id].right) row_bytes_ -= known_[id].right->capacity();
  known_[id] = Known();
}

std::size_t AsofJoin::state_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + row_bytes_;
}

std::size_t AsofJoin::bytes_of(std::uint32_t id) const noexcept {
  return known_[id].right ? known_[id].right->capacity() : 0;
}

}  // namespace penstock::ops
