#include "penstock/tuple/null_column.hpp"

#include <algorithm>
#include <utility>

#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

namespace {

void add_zeros(std::int64_t bytes, OwnArray& out) {
  std::fill_n(out.add_buffer<std::uint8_t>(bytes), bytes, std::uint8_t{0});
}

// NOLINTBEGIN(misc-no-recursion): types nest

void add_values(const Field& field, std::int64_t rows, OwnArray& out) {
  constexpr std::int64_t kView = 16;
  switch (field.kind) {
    case Kind::kBool:
      add_zeros((rows + 7) / 8, out);
      return;
    case Kind::kBytes:
      add_zeros((rows + 1) * std::int64_t{sizeof(std::int32_t)}, out);
      add_zeros(0, out);
      return;
    case Kind::kLargeBytes:
      add_zeros((rows + 1) * std::int64_t{sizeof(std::int64_t)}, out);
      add_zeros(0, out);
      return;
    case Kind::kBytesView:
      add_zeros(rows * kView, out);
      add_zeros(0, out);  // the sizes of no further buffers
      return;
    case Kind::kList:
      add_zeros((rows + 1) * std::int64_t{sizeof(std::int32_t)}, out);
      out.add_child(null_column(field.children[0], 0));
      return;
    case Kind::kLargeList:
      add_zeros((rows + 1) * std::int64_t{sizeof(std::int64_t)}, out);
      out.add_child(null_column(field.children[0], 0));
      return;
    case Kind::kFixedList:
      out.add_child(null_column(field.children[0], rows * field.width));
      return;
    case Kind::kStruct:
      for (const Field& child : field.children) out.add_child(null_column(child, rows));
      return;
    default:
      add_zeros(rows * field.width, out);
  }
}

}  // namespace

ArrowArray null_column(const Field& field, std::int64_t rows) {
  OwnArray out(rows);
  if (field.kind == Kind::kNull) return std::move(out).finish(rows);
  add_zeros((rows + 7) / 8, out);
  add_values(field, rows, out);
  if (!field.dictionary.empty()) out.set_dictionary(null_column(field.dictionary[0], 0));
  return std::move(out).finish(rows);
}

// NOLINTEND(misc-no-recursion)

}  // namespace penstock::tuple
