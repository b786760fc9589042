#include "penstock/ops/running_aggregate.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "penstock/base/cache_line.hpp"
#include "penstock/base/check.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/region/key_table.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/own_array.hpp"

namespace penstock::ops {

// The keys of one part, and what is known of them. Parts are used by different threads.
struct alignas(base::kCacheLine) RunningAggregate::Part {
  region::WordTable words;
  region::ByteTable bytes;
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  std::size_t known_bytes = 0;  // what was counted for it so far

  [[nodiscard]] std::size_t keys() const noexcept { return words.size() + bytes.size(); }
  [[nodiscard]] std::size_t memory() const noexcept {
    std::size_t taken = words.bytes() + bytes.bytes();
    for (const auto& accumulator : accumulators) taken += accumulator->bytes();
    return taken;
  }
};

namespace {

// The beginning of the longest keys, with their length; empty where all keys are of one length.
std::string longest_keys(const region::ByteTable& table) {
  constexpr std::size_t kNamed = 3;
  constexpr std::size_t kShown = 40;
  std::vector<std::string_view> longest;
  table.for_each([&](std::string_view key, std::uint32_t /*id*/) {
    const auto place =
        std::ranges::upper_bound(longest, key.size(), std::greater(), &std::string_view::size);
    longest.insert(place, key);
    if (longest.size() > kNamed) longest.pop_back();
  });
  std::string text;
  for (const auto key : longest) {
    text += text.empty() ? "; its longest keys here are " : ", ";
    text += "'" + std::string(key.substr(0, kShown)) + (key.size() > kShown ? "...'" : "'") + " (" +
            std::to_string(key.size()) + " bytes)";
  }
  return text;
}

}  // namespace

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
    : keys_(input, options.keys), aggregates_(options.aggregates), most_bytes_(options.most_bytes) {
  PENSTOCK_CHECK(options.parts >= 1, "a keyed operator has a part at least");
  const auto fields = tuple::read_fields(input);
  for (const Aggregate& aggregate : aggregates_) widths_.push_back(width_of(aggregate, fields));
  for (int i = 0; i < options.parts; ++i) {
    auto part = std::make_unique<Part>();
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
  cut_by_key(tuple.batch, kept);
  make_columns(tuple.batch.rows(), kept);
  return used;
}

void RunningAggregate::cut_by_key(const tuple::Batch& batch, Kept& kept) const {
  keys_.hash(batch, kept.hashes);
  if (keys_.is_word()) {
    keys_.words(batch, kept.words, kept.nulls);
  } else {
    keys_.bytes(batch, kept.bytes, kept.arena);
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
  Part& here = *parts_[static_cast<std::size_t>(part)];
  kept.ids.resize(rows.size());
  std::uint32_t keys = 0;
  if (keys_.is_word()) {
    here.words.find_or_add(kept.words, kept.hashes, rows, kept.ids);
    keys = here.words.id_limit();
  } else {
    here.bytes.find_or_add(kept.bytes, kept.hashes, rows, kept.ids);
    keys = here.bytes.id_limit();
  }
  if (most_bytes_ != 0) check_memory(here);
  // All of them go as far as they get: the first row that fails in any is the one to tell.
  graph::FirstFailure failure;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    const int column = aggregates_[i].column;
    const auto values =
        column == Aggregate::kRows ? tuple::ColumnSlice{} : tuple.batch.column(column);
    Kept::Made& made = kept.made[i];
    try {
      here.accumulators[i]->update(values, rows, kept.ids, keys,
                                   {.values = made.values, .valid = made.valid.data()});
    } catch (const graph::FailedAtRow& failed) {
      failure.add(failed);
    }
  }
  failure.raise();
}

void RunningAggregate::check_memory(Part& part) {
  const std::size_t now = part.memory();
  const std::size_t grown = now - std::exchange(part.known_bytes, now);
  const std::size_t all = bytes_.fetch_add(grown, std::memory_order_relaxed) + grown;
  if (all <= most_bytes_) return;
  throw std::length_error("what it remembers takes " + std::to_string(all) + " bytes, and " +
                          std::to_string(part.keys()) + " keys are in one of its " +
                          std::to_string(parts_.size()) + " parts" + longest_keys(part.bytes) +
                          "; spark.penstock.state.maxBytes allows " + std::to_string(most_bytes_) +
                          ": raise it, spread the keys over more tasks, or have fewer");
}

void RunningAggregate::join(const tuple::Tuple& tuple, std::int64_t rows, graph::Pieces& pieces,
                            graph::Output& output) const {
  Kept& kept = static_cast<Kept&>(pieces);  // NOLINT(*-downcast): cut() made them
  const tuple::Batch& batch = tuple.batch;
  tuple::OwnArray root(batch.rows());
  root.skip_buffer();
  for (int i = 0; i < batch.columns(); ++i) {
    const tuple::ColumnSlice column = batch.column(i);
    ArrowArray shown = tuple::OwnArray::borrow(*column.array, batch);
    if (shown.null_count != 0) shown.null_count = -1;  // not counted again for every cut
    shown.offset = column.offset;
    shown.length = column.length;
    root.add_child(shown);
  }
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
  ArrowArray whole = std::move(root).finish(0);
  output.emit(tuple::Batch::adopt(whole).slice(0, rows), 0);
}

}  // namespace penstock::ops
