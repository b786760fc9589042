#include "penstock/ops/window_kept.hpp"

#include <algorithm>
#include <utility>

#include "penstock/graph/row_failure.hpp"
#include "penstock/tuple/own_schema.hpp"

namespace penstock::ops {

namespace {

std::vector<int> columns_of(const std::vector<Aggregate>& aggregates) {
  std::vector<int> columns;
  for (const Aggregate& aggregate : aggregates) {
    if (aggregate.column != Aggregate::kRows) columns.push_back(aggregate.column);
  }
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  return columns;
}

std::vector<Aggregate> over(const std::vector<int>& columns, std::vector<Aggregate> aggregates) {
  for (Aggregate& aggregate : aggregates) {
    if (aggregate.column == Aggregate::kRows) continue;
    const auto place = std::ranges::lower_bound(columns, aggregate.column);
    aggregate.column = static_cast<int>(place - columns.begin());
  }
  return aggregates;
}

tuple::Schema schema_of(const tuple::Schema& input, const std::vector<int>& columns) {
  const auto fields = tuple::read_fields(input);
  std::vector<tuple::Field> selected;
  selected.reserve(columns.size());
  for (const int column : columns) selected.push_back(fields.at(static_cast<std::size_t>(column)));
  return tuple::make_schema(selected);
}

}  // namespace

KeptColumns::KeptColumns(const tuple::Schema& input, const std::vector<Aggregate>& aggregates)
    : columns_(columns_of(aggregates)),
      aggregates_(over(columns_, aggregates)),
      codec_(schema_of(input, columns_)) {}

std::string KeptColumns::keep(std::int64_t row) const {
  std::string kept;
  if (rows_) rows_->encode(row, kept);
  return kept;
}

std::uint32_t KeptColumns::fold(std::span<const std::string_view> kept, std::int32_t row,
                                WindowValues& values) const {
  const tuple::Batch batch = codec_.decode(kept);
  const auto slot = values.open();
  for (std::int32_t at = 0; std::cmp_less(at, kept.size()); ++at) values.note(slot, at);
  try {
    values.settle(batch);
  } catch (const graph::FailedAtRow& failed) {
    throw graph::FailedAtRow(row, failed.cause());
  }
  return slot;
}

}  // namespace penstock::ops
