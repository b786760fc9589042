#include "penstock/ops/keyed_rows.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/graph/row_failure.hpp"
#include "penstock/ops/key_text.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/composer.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/own_schema.hpp"

namespace penstock::ops {

namespace {

// The columns of the key, then what is known of it.
tuple::Field saved_field() {
  return {.name = "state", .format = "Z", .kind = tuple::Kind::kLargeBytes};
}

tuple::Schema package_schema_of(std::vector<tuple::Field> fields) {
  fields.push_back(saved_field());
  return tuple::make_schema(fields);
}

ArrowArray saved_column(std::span<const std::string> saved) {
  tuple::OwnArray column(std::ssize(saved));
  column.skip_buffer();
  auto* const offsets = column.add_buffer<std::int64_t>(std::ssize(saved) + 1);
  std::int64_t end = offsets[0] = 0;
  for (std::size_t row = 0; row < saved.size(); ++row) {
    offsets[row + 1] = end += std::ssize(saved[row]);
  }
  auto* data = column.add_buffer<char>(end);
  for (const auto& each : saved) data = std::ranges::copy(each, data).out;
  return std::move(column).finish(0);
}

}  // namespace

void KeyedRows::Made::add(std::string_view row, std::int32_t from) {
  from = std::max(from, least_from_);
  PENSTOCK_CHECK(from_.empty() || from_.back() <= from, "rows are made in the order of the input");
  bytes_.append(row);
  ends_.push_back(bytes_.size());
  from_.push_back(from);
}

KeyedRows::KeyedRows(const tuple::Schema& schema, const Options& options)
    : numbers_(schema, options.keys),
      given_(schema),
      package_schema_(package_schema_of(numbers_.fields())),
      most_bytes_(options.most_bytes),
      bytes_(options.bytes ? options.bytes : std::make_shared<std::atomic<std::size_t>>(0)) {}

KeyedRows::KeyedRows(const tuple::Schema& input, const tuple::Schema& output,
                     const Options& options)
    : KeyedRows(input, options) {
  codec_ = std::make_unique<tuple::RowCodec>(output);
}

void KeyedRows::process(const tuple::Tuple& tuple, int /*port*/, graph::Output& output) {
  numbers_.number(tuple.batch, ids_);
  reserve(numbers_.id_limit());
  Made made;
  try {
    work(tuple.batch, ids_, made);
  } catch (const graph::FailedAtRow&) {
    give_out(tuple.batch, made, output);
    throw;
  }
  if (most_bytes_ != 0) check_memory();
  give_out(tuple.batch, made, output);
}

void KeyedRows::give_out(const tuple::Batch& given, const Made& made, graph::Output& output) const {
  if (made.from_.empty()) return;
  if (codec_ != nullptr) {
    output.emit_rows(decoded(made), made.from_, 0);
  } else if (std::cmp_equal(made.from_.size(), given.rows())) {
    output.emit_rows(given, made.from_, 0);
  } else {
    output.emit_rows(given_.take(given, made.from_), made.from_, 0);
  }
}

tuple::Batch KeyedRows::decoded(const Made& made) const {
  std::vector<std::string_view> rows;
  rows.reserve(made.ends_.size());
  std::size_t begin = 0;
  for (const auto end : made.ends_) {
    rows.push_back(std::string_view(made.bytes_).substr(begin, end - begin));
    begin = end;
  }
  return codec_->decode(rows);
}

void KeyedRows::finish(graph::Output& output) {
  if (codec_ == nullptr) return;
  reserve(numbers_.id_limit());
  KeyNumbers::Sorted keys = numbers_.sort();
  Made made;
  for (std::size_t place = 0; place < keys.ids.size(); ++place) {
    made.least_from_ = static_cast<std::int32_t>(place);
    flush(keys.ids[place], made);
  }
  if (made.from_.empty()) return;
  std::vector<std::string> order;
  order.reserve(made.from_.size());
  for (const auto place : made.from_) order.push_back(keys.order[static_cast<std::size_t>(place)]);
  output.emit_ordered(decoded(made), order, 0);
}

std::vector<region::Package> KeyedRows::donate(const region::HashRing& ring, int self) {
  reserve(numbers_.id_limit());
  const auto listed = numbers_.list();
  const auto owners = numbers_.channels(listed, ring);
  region::Cut cut;
  cut.assign(owners, ring.channels());
  std::vector<region::Package> packages;
  std::vector<std::uint8_t> gone(numbers_.id_limit());
  std::size_t leaving = 0;
  for (int to = 0; to < ring.channels(); ++to) {
    const auto rows = cut.rows_of(to);
    if (to == self || rows.empty()) continue;
    packages.push_back({.from = self, .to = to, .rows = packed(listed, rows)});
    for (const auto row : rows) gone[listed.ids[static_cast<std::size_t>(row)]] = 1;
    leaving += rows.size();
  }
  numbers_.reserve_erased(leaving);
  // Nothing below can fail.
  for (const auto id : listed.ids) {
    if (gone[id] != 0) forget(id);
  }
  numbers_.erase(gone);
  count_memory();
  return packages;
}

tuple::Batch KeyedRows::packed(const KeyNumbers::Listed& listed,
                               std::span<const std::int32_t> rows) const {
  std::vector<std::string> saved;
  saved.reserve(rows.size());
  for (const auto row : rows) {
    save(listed.ids[static_cast<std::size_t>(row)], saved.emplace_back());
  }
  if (numbers_.fields().empty()) {
    tuple::OwnArray root(std::ssize(rows));
    root.skip_buffer();
    root.add_child(saved_column(saved));
    return std::move(root).finish_batch();
  }
  tuple::Composer whole(tuple::take(tuple::make_schema(numbers_.fields()), listed.keys, rows),
                        numbers_.fields().size() + 1);
  whole.pass_all();
  whole.add(saved_column(saved));
  return std::move(whole).finish();
}

void KeyedRows::collect(const tuple::Batch& rows) {
  const std::size_t known = numbers_.size();
  std::vector<std::uint32_t> ids;
  numbers_.number(rows, ids, true);
  PENSTOCK_CHECK(numbers_.fields().empty() || numbers_.size() == known + ids.size(),
                 "a key has one channel");
  reserve(numbers_.id_limit());
  const auto saved = rows.column(static_cast<int>(numbers_.fields().size()));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    restore(ids[row], tuple::bytes_at(saved_field(), saved, static_cast<std::int64_t>(row)));
  }
  count_memory();
}

tuple::Batch KeyedRows::snapshot() const {
  const auto listed = numbers_.list();
  std::vector<std::int32_t> all(listed.ids.size());
  std::iota(all.begin(), all.end(), 0);
  return packed(listed, all);
}

tuple::Schema KeyedRows::package_schema() const { return package_schema_; }

std::size_t KeyedRows::count_memory() noexcept {
  const std::size_t now = numbers_.bytes() + state_bytes();
  // It may be less than before: unsigned numbers wrap around and come out right.
  const std::size_t grown = now - std::exchange(known_bytes_, now);
  return bytes_->fetch_add(grown, std::memory_order_relaxed) + grown;
}

void KeyedRows::check_memory() {
  const std::size_t all = count_memory();
  if (all <= most_bytes_) return;
  throw std::length_error("what it remembers takes " + std::to_string(all) + " bytes" +
                          largest_keys() + "; spark.penstock.state.maxBytes allows " +
                          std::to_string(most_bytes_) +
                          ": raise it, spread the keys over more tasks, or keep less");
}

// Looks at every key, and copies none but those that are named: there is no memory left for it.
std::string KeyedRows::largest_keys() const {
  if (numbers_.fields().empty()) return ", without a key that could be spread";
  LargestKeys largest;
  numbers_.for_each([&](std::uint32_t id, std::size_t key_bytes) {
    largest.show({.id = id, .bytes = key_bytes + bytes_of(id)});
  });
  const std::string here = ", here of " + std::to_string(keys()) + " keys";
  if (largest.all_alike()) return here + ", each with as much as the others";
  std::vector<std::uint32_t> ids;
  for (const LargeKey& key : largest.keys()) ids.push_back(key.id);
  const auto listed = numbers_.list(ids);
  return here + ", the largest " +
         largest_text(largest, numbers_.fields(), listed.ids, listed.keys);
}

}  // namespace penstock::ops
