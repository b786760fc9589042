#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/own_array.hpp"

// How gather copies values without children. Included by its sources only.
namespace penstock::tuple::gathering {

// What is asked for: row i is row(i) of source(i). Three forms, so that the common one, rows of a
// single batch, reads no source at all.
struct TakenRows {
  static constexpr bool kOneSource = true;
  std::span<const std::int32_t> rows;

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(rows); }
  [[nodiscard]] static std::size_t source(std::int64_t /*i*/) noexcept { return 0; }
  [[nodiscard]] std::int64_t row(std::int64_t i) const noexcept {
    return rows[static_cast<std::size_t>(i)];
  }
};

struct ChosenRows {
  static constexpr bool kOneSource = false;
  std::span<const RowRef> rows;

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(rows); }
  [[nodiscard]] std::size_t source(std::int64_t i) const noexcept {
    return static_cast<std::size_t>(rows[static_cast<std::size_t>(i)].batch);
  }
  [[nodiscard]] std::int64_t row(std::int64_t i) const noexcept {
    return rows[static_cast<std::size_t>(i)].row;
  }
};

// Items of lists, and entries of dictionaries.
struct NestedRows {
  static constexpr bool kOneSource = false;
  struct Item {
    std::size_t source;
    std::int64_t row;
  };
  std::vector<Item> items;

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(items); }
  [[nodiscard]] std::size_t source(std::int64_t i) const noexcept {
    return items[static_cast<std::size_t>(i)].source;
  }
  [[nodiscard]] std::int64_t row(std::int64_t i) const noexcept {
    return items[static_cast<std::size_t>(i)].row;
  }
};

// One column of all batches.
using Sources = std::span<const ColumnSlice>;

// The value of row i in buffer `Buffer` of its source.
template <typename Value, int Buffer, typename Rows>
class ValueAt {
 public:
  ValueAt(Sources sources, const Rows& rows) : rows_(rows) {
    if constexpr (Rows::kOneSource) {
      first_ = begin(sources[0]);
    } else {
      for (const ColumnSlice& source : sources) begins_.push_back(begin(source));
    }
  }

  // Where the value is, for those of more than one.
  [[nodiscard]] const Value* at(std::int64_t i, std::int64_t step = 1) const noexcept {
    if constexpr (Rows::kOneSource) {
      return first_ + (rows_.row(i) * step);
    } else {
      return begins_[rows_.source(i)] + (rows_.row(i) * step);
    }
  }

 private:
  static const Value* begin(const ColumnSlice& source) noexcept {
    return static_cast<const Value*>(source.array->buffers[Buffer]) + source.offset;
  }

  const Rows& rows_;
  const Value* first_ = nullptr;
  std::vector<const Value*> begins_;
};

// Adds the validity bitmap and tells whether row i has a value.
template <typename Rows>
class Validity {
 public:
  Validity(Sources sources, const Rows& rows, OwnArray& out) : sources_(sources), rows_(rows) {
    for (const ColumnSlice& source : sources) {
      const bool none = source.array->null_count == 0 || source.array->buffers[0] == nullptr;
      bits_.push_back(none ? nullptr : source.array->buffers[0]);
      any_ = any_ || !none;
    }
    if (!any_) {
      out.skip_buffer();
      return;
    }
    auto* made = out.add_buffer<std::uint8_t>((rows.size() + 7) / 8);
    nulls_ = rows.size() -
             write_bits(made, rows.size(), [this](std::int64_t i) { return source_has(i); });
  }

  [[nodiscard]] std::int64_t nulls() const noexcept { return nulls_; }
  [[nodiscard]] bool has(std::int64_t i) const noexcept { return nulls_ == 0 || source_has(i); }

 private:
  [[nodiscard]] bool source_has(std::int64_t i) const noexcept {
    const std::size_t source = rows_.source(i);
    const void* bits = bits_[source];
    return bits == nullptr || bit_at(bits, sources_[source].offset + rows_.row(i));
  }

  Sources sources_;
  const Rows& rows_;
  std::vector<const void*> bits_;
  bool any_ = false;
  std::int64_t nulls_ = 0;
};

template <typename Value, typename Rows>
void copy_words(Sources sources, const Rows& rows, OwnArray& out) {
  const ValueAt<Value, 1, Rows> value(sources, rows);
  auto* made = out.add_buffer<Value>(rows.size());
  for (std::int64_t i = 0; i < rows.size(); ++i) made[i] = *value.at(i);
}

template <typename Rows>
void copy_fixed(std::int64_t width, Sources sources, const Rows& rows, OwnArray& out) {
  switch (width) {
    case 1:
      return copy_words<std::uint8_t>(sources, rows, out);
    case 2:
      return copy_words<std::uint16_t>(sources, rows, out);
    case 4:
      return copy_words<std::uint32_t>(sources, rows, out);
    case 8:
      return copy_words<std::uint64_t>(sources, rows, out);
    case 16:
      return copy_words<std::array<std::uint64_t, 2>>(sources, rows, out);
    default:
      break;
  }
  auto* made = out.add_buffer<char>(rows.size() * width);
  for (std::int64_t i = 0; i < rows.size(); ++i, made += width) {
    const ColumnSlice& source = sources[rows.source(i)];
    const auto* data = static_cast<const char*>(source.array->buffers[1]);
    std::memcpy(made, data + ((source.offset + rows.row(i)) * width),
                static_cast<std::size_t>(width));
  }
}

template <typename Rows>
void copy_bools(Sources sources, const Rows& rows, OwnArray& out) {
  auto* made = out.add_buffer<std::uint8_t>((rows.size() + 7) / 8);
  write_bits(made, rows.size(), [&](std::int64_t i) {
    const ColumnSlice& source = sources[rows.source(i)];
    return bit_at(source.array->buffers[1], source.offset + rows.row(i));
  });
}

template <typename Offset>
Offset checked_offset(const Field& field, std::int64_t end) {
  if (end > std::int64_t{std::numeric_limits<Offset>::max()}) {
    throw std::length_error("column " + describe(field) + " would hold " + std::to_string(end) +
                            " bytes or items, more than its 32-bit offsets can count: choose fewer "
                            "rows at once, or a type with 64-bit offsets");
  }
  return static_cast<Offset>(end);
}

template <typename Offset, typename Rows>
void copy_bytes(const Field& field, Sources sources, const Rows& rows,
                const Validity<Rows>& validity, OwnArray& out) {
  const ValueAt<Offset, 1, Rows> offset(sources, rows);
  auto* ends = out.add_buffer<Offset>(rows.size() + 1);
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    ends[i] = checked_offset<Offset>(field, end);
    const Offset* from = offset.at(i);
    if (validity.has(i)) end += from[1] - from[0];
  }
  ends[rows.size()] = checked_offset<Offset>(field, end);
  auto* made = out.add_buffer<char>(end);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const auto size = static_cast<std::size_t>(ends[i + 1] - ends[i]);
    if (size == 0) continue;
    const auto* data = static_cast<const char*>(sources[rows.source(i)].array->buffers[2]);
    std::memcpy(made + ends[i], data + *offset.at(i), size);
  }
}

}  // namespace penstock::tuple::gathering
