#include "penstock/ops/running_aggregate.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/ops/aggregate_part.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/more_columns.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

// A tuple on its way through the parts.
struct RunningAggregate::Kept final : graph::Pieces {
  struct Made {
    tuple::OwnArray array;
    std::uint8_t* bitmap;
    void* values;
    std::vector<std::uint8_t> valid;  // a byte for each row, empty where nothing is ever null
  };

  std::vector<std::uint64_t> hashes;
  std::vector<std::int32_t> part_of;
  region::Cut cut;
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> nulls;
  std::vector<std::string_view> bytes;
  tuple::KeyArena arena;
  std::vector<std::uint32_t> ids;
  std::vector<Made> made;  // by aggregate
};

RunningAggregate::RunningAggregate(const tuple::Schema& input, const Options& options)
    : keys_(input, options.keys),
      aggregates_(options.aggregates),
      most_bytes_(options.most_bytes),
      bytes_(options.bytes ? options.bytes : std::make_shared<std::atomic<std::size_t>>(0)) {
  PENSTOCK_CHECK(options.parts >= 1, "a keyed operator has a part at least");
  const auto fields = tuple::read_fields(input);
  for (const Aggregate& aggregate : aggregates_) widths_.push_back(width_of(aggregate, fields));
  layout_ = std::make_unique<PackageLayout>(input, options.keys, aggregates_);
  for (int i = 0; i < options.parts; ++i) {
    auto part = std::make_unique<AggregatePart>();
    for (const Aggregate& aggregate : aggregates_) {
      part->accumulators.push_back(make_accumulator(aggregate, fields));
    }
    parts_.push_back(std::move(part));
  }
}

RunningAggregate::~RunningAggregate() = default;

std::unique_ptr<graph::Pieces> RunningAggregate::cut(const tuple::Tuple& tuple,
                                                     const graph::Division& /*division*/,
                                                     std::unique_ptr<graph::Pieces> used) const {
  if (used == nullptr) used = std::make_unique<Kept>();
  Kept& kept = static_cast<Kept&>(*used);  // NOLINT(*-downcast): nobody else makes pieces
  cut_by_key(keys_, tuple.batch, kept);
  make_columns(tuple.batch.rows(), kept);
  return used;
}

void RunningAggregate::cut_by_key(const tuple::KeyColumns& keys, const tuple::Batch& batch,
                                  Kept& kept) const {
  keys.hash(batch, kept.hashes);
  if (keys.is_word()) {
    keys.words(batch, kept.words, kept.nulls);
  } else {
    keys.bytes(batch, kept.bytes, kept.arena);
  }
  kept.part_of.resize(kept.hashes.size());
  const auto all = static_cast<std::uint64_t>(parts_.size());
  for (std::size_t row = 0; row < kept.hashes.size(); ++row) {
    // By the high bits, because a table places keys by the low ones.
    kept.part_of[row] = static_cast<std::int32_t>(((kept.hashes[row] >> 32U) * all) >> 32U);
  }
  kept.cut.assign(kept.part_of, parts());
}

void RunningAggregate::make_columns(std::int64_t rows, Kept& kept) const {
  kept.made.clear();
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    tuple::OwnArray array(rows);
    std::uint8_t* bitmap = nullptr;
    std::vector<std::uint8_t> valid;
    if (aggregates_[i].function == Function::kCount) {
      array.skip_buffer();
    } else {
      bitmap = array.add_buffer<std::uint8_t>((rows + 7) / 8);
      valid.resize(static_cast<std::size_t>(rows));
    }
    void* const values = array.add_buffer<std::uint8_t>(rows * widths_[i]);
    kept.made.push_back(
        {.array = std::move(array), .bitmap = bitmap, .values = values, .valid = std::move(valid)});
  }
}

void RunningAggregate::process_part(int part, const tuple::Tuple& tuple, graph::Pieces& pieces) {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const auto rows = kept.cut.rows_of(part);
  if (rows.empty()) return;
  AggregatePart& here = *parts_[static_cast<std::size_t>(part)];
  number_keys(here, rows, kept);
  if (most_bytes_ != 0) check_memory(here);
  // All of them go as far as they get: the first row that fails in any is the one to tell.
  graph::FirstFailure failure;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    const int column = aggregates_[i].column;
    const auto values =
        column == Aggregate::kRows ? tuple::ColumnSlice{} : tuple.batch.column(column);
    Kept::Made& made = kept.made[i];
    try {
      here.accumulators[i]->update(values, rows, kept.ids,
                                   {.values = made.values, .valid = made.valid.data()});
    } catch (const graph::FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  failure.raise();
}

void RunningAggregate::number_keys(AggregatePart& part, std::span<const std::int32_t> rows,
                                   Kept& kept) const {
  kept.ids.resize(rows.size());
  if (keys_.is_word()) {
    part.words.find_or_add(kept.words, kept.hashes, rows, kept.ids);
  } else {
    part.bytes.find_or_add(kept.bytes, kept.hashes, rows, kept.ids);
  }
  part.reserve_states();
}

std::size_t RunningAggregate::count_memory(AggregatePart& part) noexcept {
  const std::size_t now = part.memory();
  // It may be less than before: unsigned numbers wrap around and come out right.
  const std::size_t grown = now - std::exchange(part.known_bytes, now);
  return bytes_->fetch_add(grown, std::memory_order_relaxed) + grown;
}

void RunningAggregate::check_memory(AggregatePart& part) {
  const std::size_t all = count_memory(part);
  if (all <= most_bytes_) return;
  throw std::length_error("what it remembers takes " + std::to_string(all) +
                          " bytes, and the part that grew last has " + std::to_string(part.keys()) +
                          " keys" + part.longest_keys() +
                          "; spark.penstock.state.maxBytes allows " + std::to_string(most_bytes_) +
                          ": raise it, spread the keys over more tasks, or have fewer");
}

void RunningAggregate::join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
                            graph::Output& output) const {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const tuple::Batch& batch = tuple.batch;
  tuple::OwnArray root = tuple::begin_with(batch);
  for (auto& made : kept.made) {
    std::int64_t nulls = 0;
    if (made.bitmap != nullptr) {
      const auto is_valid = [&](std::int64_t row) {
        return made.valid[static_cast<std::size_t>(row)] != 0;
      };
      nulls = batch.rows() - tuple::write_bits(made.bitmap, batch.rows(), is_valid);
    }
    root.add_child(std::move(made.array).finish(nulls));
  }
  kept.made.clear();
  output.emit(std::move(root).finish_batch().slice(0, rows), 0);
}

std::vector<region::Package> RunningAggregate::donate(const region::HashRing& ring, int self) {
  std::vector<AggregatePart::Leaving> leaving;  // by part
  leaving.reserve(parts_.size());
  for (const auto& part : parts_) leaving.push_back(part->pack_leaving(*layout_, ring, self));
  std::vector<region::Package> packages;
  for (int to = 0; to < ring.channels(); ++to) {
    std::vector<tuple::Batch> batches;
    for (const auto& each : leaving) {
      const tuple::Batch& batch = each.by_channel[static_cast<std::size_t>(to)];
      if (batch.rows() != 0) batches.push_back(batch);
    }
    if (batches.empty()) continue;
    packages.push_back({.from = self, .to = to, .rows = joined(std::move(batches))});
  }
  // Nothing below can fail.
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    parts_[i]->forget(leaving[i]);
    count_memory(*parts_[i]);
  }
  return packages;
}

void RunningAggregate::collect(const tuple::Batch& rows) {
  Kept kept;
  cut_by_key(layout_->keys, rows, kept);
  for (int i = 0; i < parts(); ++i) {
    AggregatePart& part = *parts_[static_cast<std::size_t>(i)];
    const std::size_t known = part.keys();
    const auto here = kept.cut.rows_of(i);
    if (here.empty()) continue;
    (keys_.is_word() ? part.words.reserve(here.size()) : part.bytes.reserve(here.size()));
    number_keys(part, here, kept);
    PENSTOCK_CHECK(part.keys() == known + here.size(), "a key has one channel");
    part.restore(*layout_, rows, here, kept.ids);
    count_memory(part);
  }
}

tuple::Batch RunningAggregate::snapshot() const {
  std::vector<tuple::Batch> batches;
  batches.reserve(parts_.size());
  for (const auto& part : parts_) batches.push_back(part->pack(*layout_, part->list_keys()));
  return joined(std::move(batches));
}

tuple::Batch RunningAggregate::joined(std::vector<tuple::Batch> packages) const {
  if (packages.size() == 1) return std::move(packages[0]);
  std::vector<tuple::RowRef> rows;
  for (std::size_t batch = 0; batch < packages.size(); ++batch) {
    for (std::int64_t row = 0; row < packages[batch].rows(); ++row) {
      rows.push_back(
          {.batch = static_cast<std::int32_t>(batch), .row = static_cast<std::int32_t>(row)});
    }
  }
  return tuple::gather(layout_->schema, packages, rows);
}

tuple::Schema RunningAggregate::package_schema() const { return layout_->schema; }

std::size_t RunningAggregate::keys() const noexcept {
  std::size_t known = 0;
  for (const auto& part : parts_) known += part->keys();
  return known;
}

}  // namespace penstock::ops
