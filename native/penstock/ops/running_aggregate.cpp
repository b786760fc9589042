#include "penstock/ops/running_aggregate.hpp"

#include <utility>

#include "penstock/ops/made_column.hpp"
#include "penstock/tuple/composer.hpp"

namespace penstock::ops {

namespace {

std::vector<tuple::Field> made_fields(const std::vector<Aggregate>& aggregates,
                                      const std::vector<tuple::Field>& fields) {
  std::vector<tuple::Field> made;
  made.reserve(aggregates.size());
  for (const Aggregate& aggregate : aggregates) made.push_back(made_field(aggregate, fields));
  return made;
}

std::vector<std::int64_t> value_widths(const std::vector<Aggregate>& aggregates,
                                       const std::vector<tuple::Field>& fields) {
  std::vector<std::int64_t> widths;
  widths.reserve(aggregates.size());
  for (const Aggregate& aggregate : aggregates) {
    const bool rows = aggregate.column == Aggregate::kRows;
    widths.push_back(rows ? 0 : fields[static_cast<std::size_t>(aggregate.column)].width);
  }
  return widths;
}

constexpr std::int64_t kFetched = 32'768;  // bytes: more would push each other out

}  // namespace

// A tuple on its way through the parts.
struct RunningAggregate::Kept final : graph::Pieces {
  CutKeys keys;
  std::vector<MadeColumn> made;  // by aggregate
};

RunningAggregate::RunningAggregate(const tuple::Schema& input, const Options& options)
    : aggregates_(options.aggregates),
      widths_(value_widths(aggregates_, tuple::read_fields(input))),
      made_(made_fields(aggregates_, tuple::read_fields(input))),
      parts_(make_parts(input, options)) {}

KeyedParts RunningAggregate::make_parts(const tuple::Schema& input, const Options& options) {
  const auto fields = tuple::read_fields(input);
  std::vector<std::vector<tuple::Field>> saved;
  saved.reserve(aggregates_.size());
  for (const Aggregate& each : aggregates_) saved.push_back(saved_fields(each, fields));
  const auto make = [&] {
    std::vector<std::unique_ptr<KeyStates>> states;
    for (const Aggregate& each : aggregates_) {
      auto accumulator = make_accumulator(each, fields);
      accumulators_.push_back(accumulator.get());
      states.push_back(std::move(accumulator));
    }
    return states;
  };
  return {input,
          {.keys = options.keys,
           .parts = options.parts,
           .most_bytes = options.most_bytes,
           .bytes = options.bytes},
          std::move(saved),
          make};
}

std::unique_ptr<graph::Pieces> RunningAggregate::cut(const tuple::Tuple& tuple,
                                                     const graph::Division& /*division*/,
                                                     std::unique_ptr<graph::Pieces> used) const {
  if (used == nullptr) used = std::make_unique<Kept>();
  Kept& kept = static_cast<Kept&>(*used);  // NOLINT(*-downcast): nobody else makes pieces
  fetch_values(tuple.batch);
  parts_.cut(tuple.batch, kept.keys);
  make_columns(tuple.batch, kept);
  return used;
}

// Parts read values here and there, which a processor does not foresee, and wait for each of them.
void RunningAggregate::fetch_values(const tuple::Batch& batch) const {
  constexpr std::int64_t kLine = 64;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    const std::int64_t width = widths_[i];
    if (width == 0 || batch.rows() * width > kFetched) continue;
    const tuple::ColumnSlice values = values_of(batch, i);
    const auto* const bytes = static_cast<const char*>(values.array->buffers[1]);
    const std::int64_t end = (values.offset + values.length) * width;
    for (std::int64_t at = values.offset * width; at < end; at += kLine) {
      __builtin_prefetch(bytes + at);
    }
  }
}

void RunningAggregate::make_columns(const tuple::Batch& batch, Kept& kept) const {
  kept.made.clear();
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    const bool nulls = accumulators_[i]->makes_null(values_of(batch, i));
    kept.made.emplace_back(made_[i], batch.rows(),
                           nulls ? MadeColumn::Nulls::kSome : MadeColumn::Nulls::kNever);
  }
}

tuple::ColumnSlice RunningAggregate::values_of(const tuple::Batch& batch, std::size_t i) const {
  const int column = aggregates_[i].column;
  return column == Aggregate::kRows ? tuple::ColumnSlice{} : batch.column(column);
}

void RunningAggregate::process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto rows = kept.keys.cut.rows_of(part);
  if (rows.empty()) return;
  parts_.number_keys(part, kept.keys);
  const auto first = static_cast<std::size_t>(part) * aggregates_.size();
  // All of them go as far as they get: the first row that fails in any is the one to tell.
  graph::FirstFailure failure;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    try {
      accumulators_[first + i]->update(values_of(tuple.batch, i), rows, kept.keys.ids,
                                       kept.made[i].target());
    } catch (const graph::FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  failure.raise();
}

void RunningAggregate::join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
                            graph::Output& output) const {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const tuple::Batch& batch = tuple.batch;
  tuple::Composer whole(batch, static_cast<std::size_t>(batch.columns()) + kept.made.size());
  whole.pass_all();
  for (auto& made : kept.made) whole.add(std::move(made).finish());
  kept.made.clear();
  output.emit(std::move(whole).finish().slice(0, rows), 0);
}

}  // namespace penstock::ops
