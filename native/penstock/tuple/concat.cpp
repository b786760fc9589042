#include "penstock/tuple/concat.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

namespace {

using Slices = std::span<const ColumnSlice>;

bool is_bytes(const Field& field) {
  return field.kind == Kind::kBytes || field.kind == Kind::kLargeBytes;
}

bool can_be_joined(const Field& field) {
  if (!field.dictionary.empty() || !field.children.empty()) return false;
  return field.width != 0
             ? field.kind != Kind::kBytesView
             : is_bytes(field) || field.kind == Kind::kBool || field.kind == Kind::kNull;
}

// Whether each slice begins where the one before it ends, in the same buffers.
bool were_one(Slices slices) {
  for (std::size_t i = 1; i < slices.size(); ++i) {
    const ColumnSlice& before = slices[i - 1];
    if (slices[i].array->buffers != before.array->buffers) return false;
    if (slices[i].offset != before.offset + before.length) return false;
  }
  return true;
}

const void* validity_of(const ColumnSlice& slice) {
  return slice.array->null_count == 0 ? nullptr : slice.array->buffers[0];
}

// Bits of a slice to a place in a bitmap; `from` null stands for ones.
void copy_bits(const void* from, std::int64_t offset, std::int64_t count, std::uint8_t* to,
               std::int64_t place) {
  if (from != nullptr && offset % 8 == 0 && place % 8 == 0) {
    std::memcpy(to + (place / 8), static_cast<const std::uint8_t*>(from) + (offset / 8),
                static_cast<std::size_t>((count + 7) / 8));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::uint64_t>(place + i);
    const auto mask = static_cast<std::uint8_t>(1U << (at % 8U));
    std::uint8_t& byte = to[at / 8U];
    const bool one = from == nullptr || bit_at(from, offset + i);
    byte = static_cast<std::uint8_t>(one ? byte | mask : byte & static_cast<std::uint8_t>(~mask));
  }
}

template <typename Source>
void join_bits(Slices slices, std::int64_t rows, OwnArray& out, Source source) {
  const auto size = (rows + 7) / 8;
  auto* const bits = out.add_buffer<std::uint8_t>(size);
  if (size != 0) bits[size - 1] = 0;
  std::int64_t place = 0;
  for (const ColumnSlice& slice : slices) {
    copy_bits(source(slice), slice.offset, slice.length, bits, place);
    place += slice.length;
  }
}

// Whether anything may be null.
bool join_validity(Slices slices, std::int64_t rows, OwnArray& out) {
  if (std::ranges::all_of(slices, [](const auto& s) { return validity_of(s) == nullptr; })) {
    out.skip_buffer();
    return false;
  }
  join_bits(slices, rows, out, validity_of);
  return true;
}

void join_fixed(const Field& field, Slices slices, std::int64_t rows, OwnArray& out) {
  auto* to = out.add_buffer<char>(rows * field.width);
  for (const ColumnSlice& slice : slices) {
    const auto bytes = static_cast<std::size_t>(slice.length * field.width);
    if (bytes == 0) continue;
    std::memcpy(to,
                static_cast<const char*>(slice.array->buffers[1]) + (slice.offset * field.width),
                bytes);
    to += bytes;
  }
}

template <typename Offset>
void join_bytes(const Field& field, Slices slices, std::int64_t rows, OwnArray& out) {
  const auto offsets_of = [](const ColumnSlice& slice) {
    return static_cast<const Offset*>(slice.array->buffers[1]) + slice.offset;
  };
  std::int64_t total = 0;
  for (const ColumnSlice& slice : slices) {
    if (slice.length != 0) total += offsets_of(slice)[slice.length] - offsets_of(slice)[0];
  }
  if (total > std::numeric_limits<Offset>::max()) {
    throw std::length_error("column " + describe(field) + " cannot hold " + std::to_string(total) +
                            " bytes");
  }
  auto* offset = out.add_buffer<Offset>(rows + 1);
  auto* const data = out.add_buffer<char>(total);
  Offset end = 0;
  *offset++ = 0;
  for (const ColumnSlice& slice : slices) {
    if (slice.length == 0) continue;
    const Offset* const from = offsets_of(slice);
    const auto bytes = static_cast<std::size_t>(from[slice.length] - from[0]);
    if (bytes != 0) {
      std::memcpy(data + end, static_cast<const char*>(slice.array->buffers[2]) + from[0], bytes);
    }
    for (std::int64_t row = 1; row <= slice.length; ++row) {
      *offset++ = static_cast<Offset>(end + (from[row] - from[0]));
    }
    end = static_cast<Offset>(end + static_cast<Offset>(bytes));
  }
}

ArrowArray join_column(const Field& field, Slices slices, std::int64_t rows, const Batch& first) {
  if (were_one(slices)) {
    ArrowArray shown = OwnArray::borrow(*slices[0].array, first);
    if (shown.null_count != 0) shown.null_count = -1;
    shown.offset = slices[0].offset;
    shown.length = rows;
    return shown;
  }
  OwnArray out(rows);
  if (field.kind == Kind::kNull) return std::move(out).finish(rows);
  const bool nulls = join_validity(slices, rows, out);
  if (field.kind == Kind::kBool) {
    join_bits(slices, rows, out, [](const ColumnSlice& s) { return s.array->buffers[1]; });
  } else if (field.kind == Kind::kBytes) {
    join_bytes<std::int32_t>(field, slices, rows, out);
  } else if (field.kind == Kind::kLargeBytes) {
    join_bytes<std::int64_t>(field, slices, rows, out);
  } else {
    join_fixed(field, slices, rows, out);
  }
  return std::move(out).finish(nulls ? -1 : 0);
}

}  // namespace

Concatenator::Concatenator(const Schema& schema)
    : fields_(read_fields(schema)), can_join_(std::ranges::all_of(fields_, can_be_joined)) {}

Batch Concatenator::join(std::span<const Batch> batches) const {
  PENSTOCK_CHECK(can_join_ && !batches.empty(), "only what can be joined is joined");
  if (batches.size() == 1) return batches[0];
  std::int64_t rows = 0;
  for (const Batch& batch : batches) rows += batch.rows();
  OwnArray root(rows, fields_.size());
  root.skip_buffer();
  std::vector<ColumnSlice> slices(batches.size());
  for (std::size_t column = 0; column < fields_.size(); ++column) {
    for (std::size_t i = 0; i < batches.size(); ++i) {
      slices[i] = batches[i].column(static_cast<int>(column));
    }
    root.add_child(join_column(fields_[column], slices, rows, batches[0]));
  }
  return std::move(root).finish_batch();
}

}  // namespace penstock::tuple
