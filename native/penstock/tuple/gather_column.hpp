#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "penstock/tuple/gather_dictionary.hpp"
#include "penstock/tuple/gather_values.hpp"

// How gather copies a column with everything inside it. Included by its sources only.
namespace penstock::tuple::gathering {

// NOLINTBEGIN(misc-no-recursion): types nest

// One column of all batches, and the batches, whose dictionaries may be shared.
struct Origin {
  Sources sources;
  std::span<const Batch> owners;
};

template <typename Rows>
ArrowArray gather_column(const Field& field, const Origin& origin, const Rows& rows);

inline std::vector<ColumnSlice> children_of(Sources sources, std::size_t child, bool same_rows) {
  std::vector<ColumnSlice> made;
  for (const ColumnSlice& source : sources) {
    const ArrowArray* array = source.array->children[child];
    // A struct's rows are its children's rows; a list says itself where its items are.
    made.push_back({.array = array,
                    .offset = array->offset + (same_rows ? source.offset : 0),
                    .length = array->length});
  }
  return made;
}

template <typename Rows>
void add_struct(const Field& field, const Origin& origin, const Rows& rows, OwnArray& out) {
  for (std::size_t child = 0; child < field.children.size(); ++child) {
    const auto sources = children_of(origin.sources, child, true);
    out.add_child(
        gather_column(field.children[child], {.sources = sources, .owners = origin.owners}, rows));
  }
}

template <typename Offset, typename Rows>
void add_list(const Field& field, const Origin& origin, const Rows& rows,
              const Validity<Rows>& validity, OwnArray& out) {
  const ValueAt<Offset, 1, Rows> offset(origin.sources, rows);
  auto* ends = out.add_buffer<Offset>(rows.size() + 1);
  NestedRows nested;
  ends[0] = 0;
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const Offset* from = offset.at(i);
    const std::int64_t to = validity.has(i) ? from[1] : from[0];
    for (std::int64_t item = from[0]; item < to; ++item) {
      nested.items.push_back({.source = rows.source(i), .row = item});
    }
    ends[i + 1] = checked_offset<Offset>(field, nested.size());
  }
  const auto sources = children_of(origin.sources, 0, false);
  out.add_child(
      gather_column(field.children[0], {.sources = sources, .owners = origin.owners}, nested));
}

template <typename Rows>
void add_fixed_list(const Field& field, const Origin& origin, const Rows& rows, OwnArray& out) {
  NestedRows nested;
  nested.items.reserve(static_cast<std::size_t>(rows.size() * field.width));
  for (std::int64_t i = 0; i < rows.size(); ++i) {
    const std::size_t source = rows.source(i);
    const std::int64_t first = (origin.sources[source].offset + rows.row(i)) * field.width;
    for (std::int64_t item = 0; item < field.width; ++item) {
      nested.items.push_back({.source = source, .row = first + item});
    }
  }
  const auto sources = children_of(origin.sources, 0, false);
  out.add_child(
      gather_column(field.children[0], {.sources = sources, .owners = origin.owners}, nested));
}

template <typename Rows>
void add_dictionary(const Field& field, const Origin& origin, const Rows& rows,
                    const Validity<Rows>& validity, OwnArray& out) {
  const Dictionaries found(origin.sources, origin.owners);
  if (found.sources.size() == 1) {
    copy_fixed(field.width, origin.sources, rows, out);
    out.set_dictionary(OwnArray::borrow(*found.sources[0].array, found.owners[0]));
    return;
  }
  copy_indices(field, found, origin.sources, rows, validity, out);
  out.set_dictionary(gather_column(field.dictionary[0],
                                   {.sources = found.sources, .owners = found.owners},
                                   found.all_entries()));
}

template <typename Rows>
void add_values(const Field& field, const Origin& origin, const Rows& rows,
                const Validity<Rows>& validity, OwnArray& out) {
  switch (field.kind) {
    case Kind::kBool:
      return copy_bools(origin.sources, rows, out);
    case Kind::kBytes:
      return copy_bytes<std::int32_t>(field, origin.sources, rows, validity, out);
    case Kind::kLargeBytes:
      return copy_bytes<std::int64_t>(field, origin.sources, rows, validity, out);
    case Kind::kBytesView:
      return copy_views(field, origin.sources, rows, validity, out);
    case Kind::kList:
      return add_list<std::int32_t>(field, origin, rows, validity, out);
    case Kind::kLargeList:
      return add_list<std::int64_t>(field, origin, rows, validity, out);
    case Kind::kFixedList:
      return add_fixed_list(field, origin, rows, out);
    case Kind::kStruct:
      return add_struct(field, origin, rows, out);
    default:
      return copy_fixed(field.width, origin.sources, rows, out);
  }
}

template <typename Rows>
ArrowArray gather_column(const Field& field, const Origin& origin, const Rows& rows) {
  OwnArray out(rows.size());
  if (field.kind == Kind::kNull) return std::move(out).finish(rows.size());
  const Validity<Rows> validity(origin.sources, rows, out);
  if (field.dictionary.empty()) {
    add_values(field, origin, rows, validity, out);
  } else {
    add_dictionary(field, origin, rows, validity, out);
  }
  return std::move(out).finish(validity.nulls());
}

// NOLINTEND(misc-no-recursion)

}  // namespace penstock::tuple::gathering
