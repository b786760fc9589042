#include "penstock/ops/take.hpp"

#include <algorithm>
#include <stdexcept>

namespace penstock::ops {

Take::Take(const tuple::Schema& schema, const Options& options, std::int64_t rows)
    : KeyedRows(schema, options), most_(rows), by_key_(!options.keys.empty()) {
  if (rows >= 0) return;
  throw std::invalid_argument("no less than 0 rows can be taken, got " + std::to_string(rows));
}

void Take::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  for (std::int32_t row = 0; row < batch.rows(); ++row) {
    std::int64_t& taken = taken_[ids[static_cast<std::size_t>(row)]];
    if (taken == most_) continue;
    ++taken;
    last_ = row;
    made.pass_on(row);
  }
}

void Take::reserve(std::uint32_t limit) {
  taken_.resize(std::max<std::size_t>(limit, taken_.size()));
}

void Take::save(std::uint32_t id, std::string& out) const {
  tuple::encode_value(id < taken_.size() ? taken_[id] : std::int64_t{0}, out);
}

void Take::restore(std::uint32_t id, std::string_view saved) {
  tuple::ValueReader reader(saved);
  // An earlier run may have taken more than this one is to take.
  if (reader.has_value()) taken_[id] = std::min(most_, reader.read<std::int64_t>());
}

void Take::forget(std::uint32_t id) noexcept {
  if (id < taken_.size()) taken_[id] = 0;
}

std::size_t Take::state_bytes() const noexcept { return taken_.capacity() * sizeof(std::int64_t); }

}  // namespace penstock::ops
