#include "penstock/ops/compiled/state_records.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "penstock/tuple/bits.hpp"

namespace penstock::ops {

tuple::Field StateRecords::saved_field(std::int64_t record_bytes,
                                       const std::vector<tuple::Field>& keys) {
  std::string name = "state";
  while (std::ranges::find(keys, name, &tuple::Field::name) != keys.end()) name += '_';
  return {.name = name,
          .format = "w:" + std::to_string(record_bytes),
          .kind = tuple::Kind::kFixedBytes,
          .width = record_bytes};
}

void StateRecords::reserve(std::uint32_t keys) {
  const std::size_t wanted = keys * record_bytes_;
  if (wanted > records_.size()) records_.resize(wanted);
}

void StateRecords::save(std::span<const std::uint32_t> ids, std::span<const Column> out) const {
  auto* to = static_cast<std::byte*>(out[0].values);
  for (const auto id : ids) {
    std::memcpy(to, records_.data() + id * record_bytes_, record_bytes_);
    to += record_bytes_;
  }
}

void StateRecords::restore(std::span<const tuple::ColumnSlice> saved,
                           std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids) {
  const auto* const from = static_cast<const std::byte*>(saved[0].array->buffers[1]) +
                           static_cast<std::size_t>(saved[0].offset) * record_bytes_;
  const void* const validity =
      saved[0].array->null_count == 0 ? nullptr : saved[0].array->buffers[0];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (validity != nullptr && !tuple::bit_at(validity, saved[0].offset + rows[i])) continue;
    std::memcpy(records_.data() + ids[i] * record_bytes_,
                from + static_cast<std::size_t>(rows[i]) * record_bytes_, record_bytes_);
  }
}

void StateRecords::forget(std::span<const std::uint32_t> ids) noexcept {
  for (const auto id : ids) std::memset(records_.data() + id * record_bytes_, 0, record_bytes_);
}

}  // namespace penstock::ops
