#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "penstock/tuple/gather_values.hpp"

// How gather copies what points elsewhere: dictionary indices and string views. Included by its
// sources only.
namespace penstock::tuple::gathering {

// The different dictionaries of a column, and where each source's begins if they are put one behind
// the other.
struct Dictionaries {
  Dictionaries(Sources columns, std::span<const Batch> batches) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const ArrowArray* array = columns[column].array->dictionary;
      std::size_t known = 0;
      while (known < sources.size() && !same(*sources[known].array, *array)) ++known;
      if (known == sources.size()) {
        sources.push_back({.array = array, .offset = array->offset, .length = array->length});
        owners.push_back(batches[column]);
        firsts.push_back(entries);
        entries += array->length;
      }
      first_of.push_back(firsts[known]);
    }
  }

  [[nodiscard]] NestedRows all_entries() const {
    NestedRows rows;
    for (std::size_t source = 0; source < sources.size(); ++source) {
      for (std::int64_t row = 0; row < sources[source].length; ++row) {
        rows.items.push_back({.source = source, .row = row});
      }
    }
    return rows;
  }

  // A dictionary that was borrowed has the same table of buffers as the one it was borrowed from.
  static bool same(const ArrowArray& one, const ArrowArray& other) noexcept {
    return &one == &other || (one.buffers == other.buffers && one.offset == other.offset &&
                              one.length == other.length && one.n_buffers > 1);
  }

  std::vector<ColumnSlice> sources;
  std::vector<Batch> owners;
  std::vector<std::int64_t> firsts;
  std::vector<std::int64_t> first_of;  // of each column
  std::int64_t entries = 0;
};

template <typename Index, typename Rows>
void shift_indices(const Field& field, const Dictionaries& found, Sources sources, const Rows& rows,
                   const Validity<Rows>& validity, OwnArray& out) {
  if (found.entries > 0 && static_cast<std::uint64_t>(found.entries - 1) >
                               static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) {
    throw std::length_error("column " + describe(field) + " has " +
                            std::to_string(found.sources.size()) + " different dictionaries with " +
                            std::to_string(found.entries) +
                            " entries, more than its indices can count: cast it to the type of its "
                            "values, or to wider indices");
  }
  const ValueAt<Index, 1, Rows> index(sources, rows);
  auto* made = out.add_buffer<Index>(rows.size());
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const auto first = static_cast<Index>(found.first_of[rows.source(i)]);
    made[i] = validity.has(i) ? static_cast<Index>(*index.at(i) + first) : Index{0};
  }
}

template <typename Rows>
void copy_indices(const Field& field, const Dictionaries& found, Sources sources, const Rows& rows,
                  const Validity<Rows>& validity, OwnArray& out) {
  const auto shift = [&]<typename Signed>(Signed) {
    if (field.kind == Kind::kSigned) {
      return shift_indices<Signed>(field, found, sources, rows, validity, out);
    }
    shift_indices<std::make_unsigned_t<Signed>>(field, found, sources, rows, validity, out);
  };
  switch (field.width) {
    case 1:
      return shift(std::int8_t{});
    case 2:
      return shift(std::int16_t{});
    case 4:
      return shift(std::int32_t{});
    default:
      return shift(std::int64_t{});
  }
}

struct View {
  std::int32_t size;
  std::int32_t prefix;  // or the first bytes of a text of at most 12
  std::int32_t buffer;
  std::int32_t offset;
};

// Texts of more than 12 bytes are copied to one buffer.
template <typename Rows>
void copy_views(const Field& field, Sources sources, const Rows& rows,
                const Validity<Rows>& validity, OwnArray& out) {
  const ValueAt<View, 1, Rows> view(sources, rows);
  auto* made = out.add_buffer<View>(rows.size());
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    made[i] = validity.has(i) ? *view.at(i) : View{};
    if (made[i].size <= 12) continue;
    made[i].buffer = 0;
    made[i].offset = checked_offset<std::int32_t>(field, end);
    end += made[i].size;
  }
  auto* data = out.add_buffer<char>(end);
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    if (made[i].size <= 12) continue;
    const auto* const* buffers = sources[rows.source(i)].array->buffers;
    const auto* from = static_cast<const char*>(buffers[2 + view.at(i)->buffer]);
    std::memcpy(data + made[i].offset, from + view.at(i)->offset,
                static_cast<std::size_t>(made[i].size));
  }
  *out.add_buffer<std::int64_t>(1) = end;
}

}  // namespace penstock::tuple::gathering
