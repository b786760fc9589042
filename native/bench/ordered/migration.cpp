#include "bench/ordered/migration.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/ops/running_aggregate.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/own_schema.hpp"

#include "bench/workload/steady.hpp"

namespace penstock::bench::ordered {

namespace {

using Channels = std::vector<std::unique_ptr<ops::RunningAggregate>>;

// Keys are 0, 1, 2, ...: the hash scatters them.
[[nodiscard]] int channel_of(const region::HashRing& ring, std::int64_t key) {
  return ring.channel_of(base::hash64(static_cast<std::uint64_t>(key)));
}

[[nodiscard]] std::int64_t value_of(std::int64_t key) { return 3 * key + 1; }

[[nodiscard]] Channels make_channels(int count) {
  const auto schema =
      tuple::make_schema({{.name = "key", .format = "l"}, {.name = "value", .format = "l"}});
  Channels channels;
  for (int i = 0; i < count; ++i) {
    channels.push_back(std::make_unique<ops::RunningAggregate>(
        schema, ops::RunningAggregate::Options{
                    .keys = {0}, .aggregates = {{.function = ops::Function::kSum, .column = 1}}}));
  }
  return channels;
}

class Nowhere final : public graph::Output {
 public:
  void emit(tuple::Batch /*batch*/, int /*port*/) override {}
  void punctuate(int /*port*/) override {}
  [[nodiscard]] int ports() const override { return 1; }
};

void add_rows(ops::RunningAggregate& channel, std::span<const std::int64_t> keys) {
  tuple::OwnArray root(std::ssize(keys));
  root.skip_buffer();
  for (const bool is_key : {true, false}) {
    tuple::OwnArray column(std::ssize(keys));
    column.skip_buffer();
    auto* const values = column.add_buffer<std::int64_t>(std::ssize(keys));
    std::ranges::transform(keys, values,
                           [=](std::int64_t key) { return is_key ? key : value_of(key); });
    root.add_child(std::move(column).finish(0));
  }
  ArrowArray whole = std::move(root).finish(0);
  Nowhere nowhere;
  channel.process({.batch = tuple::Batch::adopt(whole), .origin = {.count = std::ssize(keys)}}, 0,
                  nowhere);
}

void fill(const Channels& channels, std::int64_t keys, const region::HashRing& ring) {
  constexpr std::size_t kRows = 1024;
  std::vector<std::vector<std::int64_t>> waiting(channels.size());
  for (std::int64_t key = 0; key < keys; ++key) {
    const auto channel = static_cast<std::size_t>(channel_of(ring, key));
    waiting[channel].push_back(key);
    if (waiting[channel].size() < kRows) continue;
    add_rows(*channels[channel], waiting[channel]);
    waiting[channel].clear();
  }
  for (std::size_t i = 0; i < channels.size(); ++i) add_rows(*channels[i], waiting[i]);
}

[[nodiscard]] std::span<const std::int64_t> numbers(const tuple::ColumnSlice& column) {
  return {static_cast<const std::int64_t*>(column.array->buffers[1]) + column.offset,
          static_cast<std::size_t>(column.length)};
}

[[nodiscard]] bool is_correct(const Channels& channels, std::int64_t keys,
                              const region::HashRing& ring) {
  std::vector<bool> seen(static_cast<std::size_t>(keys));
  std::size_t found = 0;
  for (std::size_t channel = 0; channel < channels.size(); ++channel) {
    const auto all = channels[channel]->snapshot();
    const auto known = numbers(all.column(0));
    const auto sums = numbers(all.column(1));
    for (std::size_t i = 0; i < known.size(); ++i) {
      const std::int64_t key = known[i];
      const bool right = key >= 0 && key < keys && !seen[static_cast<std::size_t>(key)] &&
                         std::cmp_equal(channel_of(ring, key), channel) && sums[i] == value_of(key);
      if (!right) return false;
      seen[static_cast<std::size_t>(key)] = true;
      ++found;
    }
  }
  return std::cmp_equal(found, keys);
}

}  // namespace

Migrated migrate(std::int64_t keys, int from, int to) {
  const region::HashRing ring(to);
  const Channels channels = make_channels(std::max(from, to));
  fill(channels, keys, region::HashRing(from));

  Migrated found;
  std::vector<region::Package> packages;
  const auto start = steady_ns();
  for (int i = 0; i < from; ++i) {
    auto given = channels[static_cast<std::size_t>(i)]->donate(ring, i);
    std::ranges::move(given, std::back_inserter(packages));
  }
  for (const auto& package : packages) {
    channels[static_cast<std::size_t>(package.to)]->collect(package.rows);
  }
  found.seconds = 1e-9 * static_cast<double>(steady_ns() - start);

  for (const auto& package : packages) {
    const auto rows = static_cast<std::uint64_t>(package.rows.rows());
    found.moved += rows;
    if (package.from < to && package.to < from) found.between_survivors += rows;
  }
  found.correct = is_correct(channels, keys, ring);
  return found;
}

}  // namespace penstock::bench::ordered
