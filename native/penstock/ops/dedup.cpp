#include "penstock/ops/dedup.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/tuple/column_values.hpp"

namespace penstock::ops {

namespace {

// Whether `time` is `span` or more behind `last`; the difference may not fit into 64 bits signed.
bool is_behind(std::int64_t time, std::int64_t last, std::int64_t span) noexcept {
  return time > last && static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(last) >=
                            static_cast<std::uint64_t>(span);
}

}  // namespace

Dedup::Dedup(const tuple::Schema& schema, const Options& options, Within within)
    : KeyedRows(schema, options), within_(within) {
  if (!looks_at_time()) return;
  time_ = tuple::read_fields(schema).at(static_cast<std::size_t>(within.on));
  if (time_.kind != tuple::Kind::kSigned || !time_.dictionary.empty()) {
    throw std::invalid_argument("column " + describe(time_) +
                                " is no time to look at; take a signed whole number, a date or a "
                                "timestamp");
  }
  if (within.span <= 0) {
    throw std::invalid_argument("rows can be equal only within a span above zero, got " +
                                std::to_string(within.span));
  }
}

void Dedup::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  const bool timed = looks_at_time();
  const auto times = timed ? batch.column(within_.on) : tuple::ColumnSlice{};
  for (std::int32_t row = 0; row < batch.rows(); ++row) {
    const std::uint32_t id = ids[static_cast<std::size_t>(row)];
    if (!timed) {
      if (passed_[id] != 0) continue;
    } else if (!tuple::is_null(time_, times, row)) {
      const auto time = tuple::whole_at(time_, times, row);
      if (passed_[id] != 0 && !is_behind(time, last_[id], within_.span)) continue;
      last_[id] = time;
    } else {
      // Nothing is known to be near a row without a time, so it is neither left out nor remembered.
      made.pass_on(row);
      continue;
    }
    passed_[id] = 1;
    made.pass_on(row);
  }
}

void Dedup::reserve(std::uint32_t limit) {
  const auto count = std::max<std::size_t>(limit, passed_.size());
  if (looks_at_time()) last_.resize(count);
  passed_.resize(count);
}

void Dedup::save(std::uint32_t id, std::string& out) const {
  if (id < passed_.size() && passed_[id] != 0) {
    tuple::encode_value(looks_at_time() ? last_[id] : std::int64_t{0}, out);
  } else {
    tuple::encode_null(out);
  }
}

void Dedup::restore(std::uint32_t id, std::string_view saved) {
  tuple::ValueReader reader(saved);
  if (!reader.has_value()) return;
  passed_[id] = 1;
  if (looks_at_time()) last_[id] = reader.read<std::int64_t>();
}

void Dedup::forget(std::uint32_t id) noexcept {
  if (id < passed_.size()) passed_[id] = 0;
}

std::size_t Dedup::state_bytes() const noexcept {
  return passed_.capacity() + (last_.capacity() * sizeof(std::int64_t));
}

}  // namespace penstock::ops
