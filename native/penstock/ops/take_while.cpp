#include "penstock/ops/take_while.hpp"

#include <algorithm>
#include <stdexcept>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/field.hpp"

namespace penstock::ops {

TakeWhile::TakeWhile(const tuple::Schema& schema, const Options& options, int column)
    : KeyedRows(schema, options), column_(column), by_key_(!options.keys.empty()) {
  const auto field = tuple::read_fields(schema).at(static_cast<std::size_t>(column));
  if (field.kind == tuple::Kind::kBool) return;
  throw std::invalid_argument("column " + describe(field) + " must be boolean");
}

void TakeWhile::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  const auto column = batch.column(column_);
  const void* const valid = column.array->null_count == 0 ? nullptr : column.array->buffers[0];
  for (std::int32_t row = 0; row < batch.rows(); ++row) {
    std::uint8_t& ended = ended_[ids[static_cast<std::size_t>(row)]];
    const std::int64_t at = column.offset + row;
    const bool known = valid == nullptr || tuple::bit_at(valid, at);
    if (ended != 0) continue;
    if (known && tuple::bit_at(column.array->buffers[1], at)) {
      made.pass_on(row);
    } else {
      ended = 1;
      last_ = row;
    }
  }
}

void TakeWhile::reserve(std::uint32_t limit) {
  ended_.resize(std::max<std::size_t>(limit, ended_.size()));
}

void TakeWhile::save(std::uint32_t id, std::string& out) const {
  tuple::encode_value(id < ended_.size() && ended_[id] != 0, out);
}

void TakeWhile::restore(std::uint32_t id, std::string_view saved) {
  tuple::ValueReader reader(saved);
  ended_[id] = reader.has_value() && reader.read<bool>() ? 1 : 0;
}

void TakeWhile::forget(std::uint32_t id) noexcept {
  if (id < ended_.size()) ended_[id] = 0;
}

}  // namespace penstock::ops
