// How fast rows are hashed, routed, numbered by key and moved: one line of JSON for each, in
// million rows a second of CPU time. Tuples of 1,024 rows, one thread.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "penstock/base/hash.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/region/hash_ring.hpp"
#include "penstock/region/key_table.hpp"
#include "penstock/tuple/gather.hpp"
#include "penstock/tuple/key_columns.hpp"

#include "bench/json.hpp"
#include "bench/keys/columns.hpp"

namespace penstock::bench {
namespace {

constexpr std::size_t kRows = 1024;
constexpr double kSeconds = 0.25;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + (static_cast<double>(now.tv_nsec) * 1e-9);
}

// Runs `pass`, which works through `rows` rows, for a while after one warm pass.
template <typename Pass>
void report(std::string_view what, std::uint64_t keys, std::size_t rows, Pass pass) {
  pass();
  const double begin = cpu_seconds();
  std::uint64_t passes = 0;
  while (cpu_seconds() - begin < kSeconds) {
    pass();
    ++passes;
  }
  const double taken = cpu_seconds() - begin;
  const double rate = static_cast<double>(passes * rows) / taken / 1e6;
  JsonObject line;
  line.add("what", what).add("keys", keys).add("mrows_per_cpu_second", rate);
  std::puts(line.line().c_str());
}

// Enough tuples that every key comes up, but no more than fit comfortably into memory.
struct Tuples {
  explicit Tuples(std::uint64_t different) : keys(different) {
    const std::size_t tuples = std::clamp<std::size_t>(2 * different / kRows, 64, 2048);
    for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
      std::vector<std::uint64_t> made(kRows);
      for (std::size_t row = 0; row < kRows; ++row) {
        // Spread, because std::unordered_map takes an integer for its own hash.
        made[row] = base::hash64(base::hash64(tuple * kRows + row) % different);
      }
      batches.push_back(key_batch(made));
      words.push_back(std::move(made));
    }
  }

  [[nodiscard]] std::size_t rows() const { return batches.size() * kRows; }

  std::uint64_t keys;
  std::vector<tuple::Batch> batches;
  std::vector<std::vector<std::uint64_t>> words;
};

void measure_routing(const Tuples& tuples) {
  const tuple::Schema schema = key_schema();
  std::vector<std::uint64_t> hashes;
  for (const int column : {0, 1}) {
    const tuple::KeyColumns key(schema, {column});
    report(column == 0 ? "hash int64" : "hash text", tuples.keys, tuples.rows(), [&] {
      for (const auto& batch : tuples.batches) key.hash(batch, hashes);
    });
  }
  const tuple::KeyColumns both(schema, {0, 1});
  report("hash int64 and text", tuples.keys, tuples.rows(), [&] {
    for (const auto& batch : tuples.batches) both.hash(batch, hashes);
  });
  std::vector<std::int32_t> parts(kRows);
  for (const int channels : {1, 8, 64}) {
    const region::HashRing ring(channels);
    report("ring of " + std::to_string(channels), tuples.keys, kRows,
           [&] { ring.channels_of(hashes, parts); });
  }
  for (std::size_t row = 0; row < kRows; ++row) parts[row] = static_cast<int>(hashes[row] % 100);
  region::Cut cut;
  report("cut into 100", tuples.keys, kRows, [&] { cut.assign(parts, 100); });
  const tuple::Gatherer gatherer(schema);
  std::vector<std::int32_t> order;
  std::vector<tuple::RowRef> refs;
  for (int part = 0; part < 100; ++part) {
    for (const std::int32_t row : cut.rows_of(part)) {
      order.push_back(row);
      refs.push_back({.batch = part % 8, .row = row});
    }
  }
  report("take of 3 columns", tuples.keys, kRows,
         [&] { (void)gatherer.take(tuples.batches[0], order); });
  report("gather of 3 columns", tuples.keys, kRows,
         [&] { (void)gatherer.gather(std::span(tuples.batches).first(8), refs); });
}

void measure_words(const Tuples& tuples) {
  const tuple::KeyColumns key(key_schema(), {0});
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> nulls;
  std::vector<std::uint32_t> ids(kRows);
  region::WordTable table;
  report("table of words, hash included", tuples.keys, tuples.rows(), [&] {
    for (const auto& batch : tuples.batches) {
      key.hash(batch, hashes);
      table.find_or_add(key.words(batch, words, nulls), hashes, ids);
    }
  });
  std::unordered_map<std::uint64_t, std::uint32_t> map;
  report("std::unordered_map of words", tuples.keys, tuples.rows(), [&] {
    for (const auto& batch : tuples.words) {
      for (std::size_t row = 0; row < kRows; ++row) {
        ids[row] =
            map.try_emplace(batch[row], static_cast<std::uint32_t>(map.size())).first->second;
      }
    }
  });
  JsonObject line;
  line.add("what", "bytes per key in a table of words").add("keys", tuples.keys);
  line.add("bytes", static_cast<double>(table.bytes()) / static_cast<double>(table.size()));
  std::puts(line.line().c_str());
}

void measure_texts(const Tuples& tuples) {
  const tuple::KeyColumns key(key_schema(), {1});
  std::vector<std::uint64_t> hashes;
  std::vector<std::string_view> texts;
  tuple::KeyArena arena;
  std::vector<std::uint32_t> ids(kRows);
  region::ByteTable table;
  report("table of texts, hash included", tuples.keys, tuples.rows(), [&] {
    for (const auto& batch : tuples.batches) {
      key.hash(batch, hashes);
      key.bytes(batch, texts, arena);
      table.find_or_add(texts, hashes, ids);
    }
  });
  std::unordered_map<std::string, std::uint32_t> map;
  report("std::unordered_map of texts", tuples.keys, tuples.rows(), [&] {
    for (const auto& batch : tuples.batches) {
      key.bytes(batch, texts, arena);
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto next = static_cast<std::uint32_t>(map.size());
        ids[row] = map.try_emplace(std::string(texts[row]), next).first->second;
      }
    }
  });
}

}  // namespace
}  // namespace penstock::bench

int main() {
  try {
    for (const std::uint64_t keys : {1'000U, 100'000U, 1'000'000U}) {
      const penstock::bench::Tuples tuples(keys);
      if (keys == 1'000) penstock::bench::measure_routing(tuples);
      penstock::bench::measure_words(tuples);
      penstock::bench::measure_texts(tuples);
    }
  } catch (const std::exception& error) {
    std::puts(error.what());
    return 1;
  }
}
