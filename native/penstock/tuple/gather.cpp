#include "penstock/tuple/gather.hpp"

#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/tuple/gather_column.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::tuple {

namespace {

// NOLINTNEXTLINE(misc-no-recursion): types nest
void check_movable(const Field& field) {
  if (field.kind == Kind::kOther) {
    throw std::invalid_argument("rows of column " + describe(field) +
                                " cannot be moved one by one: cast it to a list, a struct or the "
                                "type of its values");
  }
  for (const Field& child : field.children) check_movable(child);
  for (const Field& values : field.dictionary) check_movable(values);
}

template <typename Rows>
Batch gather_rows(const std::vector<Field>& fields, std::span<const Batch> batches,
                  const Rows& rows) {
  OwnArray root(rows.size(), fields.size());
  root.skip_buffer();
  std::vector<ColumnSlice> sources(batches.size());
  for (std::size_t column = 0; column < fields.size(); ++column) {
    for (std::size_t source = 0; source < batches.size(); ++source) {
      sources[source] = batches[source].column(static_cast<int>(column));
    }
    root.add_child(
        gathering::gather_column(fields[column], {.sources = sources, .owners = batches}, rows));
  }
  return std::move(root).finish_batch();
}

}  // namespace

Gatherer::Gatherer(const Schema& schema) : Gatherer(read_fields(schema)) {}

Gatherer::Gatherer(std::vector<Field> fields) : fields_(std::move(fields)) {
  for (const Field& field : fields_) check_movable(field);
}

Batch Gatherer::gather(std::span<const Batch> batches, std::span<const RowRef> rows) const {
  bool follow = !rows.empty();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [batch, row] = rows[i];
    PENSTOCK_CHECK(batch >= 0 && std::cmp_less(batch, batches.size()) && row >= 0 &&
                       row < batches[static_cast<std::size_t>(batch)].rows(),
                   "a row that is gathered must exist");
    follow = follow && batch == rows[0].batch && row == rows[0].row + static_cast<std::int64_t>(i);
  }
  if (follow) {
    return batches[static_cast<std::size_t>(rows[0].batch)].slice(rows[0].row, std::ssize(rows));
  }
  return gather_rows(fields_, batches, gathering::ChosenRows{rows});
}

Batch Gatherer::take(const Batch& batch, std::span<const std::int32_t> rows) const {
  bool follow = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PENSTOCK_CHECK(rows[i] >= 0 && rows[i] < batch.rows(), "a row that is taken must exist");
    follow = follow && rows[i] == rows[0] + static_cast<std::int64_t>(i);
  }
  if (follow) return batch.slice(rows.empty() ? 0 : rows[0], std::ssize(rows));
  return gather_rows(fields_, {&batch, 1}, gathering::TakenRows{rows});
}

Batch gather(const Schema& schema, std::span<const Batch> batches, std::span<const RowRef> rows) {
  return Gatherer(schema).gather(batches, rows);
}

Batch take(const Schema& schema, const Batch& batch, std::span<const std::int32_t> rows) {
  return Gatherer(schema).take(batch, rows);
}

}  // namespace penstock::tuple
