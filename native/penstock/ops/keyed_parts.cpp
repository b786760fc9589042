#include "penstock/ops/keyed_parts.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/tuple/gather.hpp"

namespace penstock::ops {

namespace {

// Values of the rows in the order of a cut, in `room` unless that is the order of the rows.
template <typename Value>
std::span<const Value> sorted(std::span<const Value> by_row, const region::Cut& cut,
                              std::vector<Value>& room) {
  if (cut.parts() == 1) return by_row;
  room.resize(by_row.size());
  auto place = room.begin();
  for (const std::int32_t row : cut.rows()) *place++ = by_row[static_cast<std::size_t>(row)];
  return room;
}

// Of each hash what tables read of it, in the order of a cut.
void sort_hashes(std::span<const std::uint64_t> by_row, const region::Cut& cut,
                 std::vector<std::uint32_t>& out) {
  out.resize(by_row.size());
  auto place = out.begin();
  for (const std::int32_t row : cut.rows()) {
    *place++ = static_cast<std::uint32_t>(by_row[static_cast<std::size_t>(row)]);
  }
}

}  // namespace

KeyedParts::KeyedParts(const tuple::Schema& input, const Options& options,
                       std::vector<std::vector<tuple::Field>> saved, const MakeStates& make)
    : keys_(input, options.keys),
      layout_(std::make_unique<PackageLayout>(input, options.keys, std::move(saved))),
      most_bytes_(options.most_bytes),
      bytes_(options.bytes ? options.bytes : std::make_shared<std::atomic<std::size_t>>(0)) {
  PENSTOCK_CHECK(options.parts >= 1, "a keyed operator has a part at least");
  for (int i = 0; i < options.parts; ++i) {
    parts_.push_back(std::make_unique<KeyedPart>());
    parts_.back()->states = make();
  }
}

void KeyedParts::cut(const tuple::KeyColumns& keys, const tuple::Batch& batch, CutKeys& out) const {
  // The thread's and not the tuple's: nobody needs them behind this, and many tuples are under way.
  static thread_local std::vector<std::uint64_t> hashes;
  keys.hash(batch, hashes);
  out.cut.assign_by_hash(hashes, size());
  sort_hashes(hashes, out.cut, out.hashes);
  if (keys.is_word()) {
    out.words = sorted(keys.words(batch, out.row_words, out.nulls), out.cut, out.sorted_words);
  } else {
    keys.bytes(batch, out.row_bytes, out.arena);
    out.bytes = sorted(std::span(std::as_const(out.row_bytes)), out.cut, out.sorted_bytes);
  }
}

void KeyedParts::number_keys(int number, CutKeys& rows) {
  find_keys(number, rows);
  if (most_bytes_ != 0) check_memory(part(number));
}

void KeyedParts::find_keys(int number, CutKeys& rows) {
  KeyedPart& here = part(number);
  const std::size_t count = rows.cut.rows_of(number).size();
  const std::size_t first = rows.cut.begin_of(number);
  const auto hashes = std::span(std::as_const(rows.hashes)).subspan(first, count);
  rows.ids.resize(count);
  if (keys_.is_word()) {
    here.words.find_or_add(rows.words.subspan(first, count), hashes, rows.ids);
  } else {
    here.bytes.find_or_add(rows.bytes.subspan(first, count), hashes, rows.ids);
  }
  here.reserve_states();
}

std::size_t KeyedParts::count_memory(KeyedPart& part) noexcept {
  const std::size_t now = part.memory();
  // It may be less than before: unsigned numbers wrap around and come out right.
  const std::size_t grown = now - std::exchange(part.known_bytes, now);
  return bytes_->fetch_add(grown, std::memory_order_relaxed) + grown;
}

void KeyedParts::check_memory(KeyedPart& part) {
  const std::size_t all = count_memory(part);
  if (all <= most_bytes_) return;
  throw std::length_error("what it remembers takes " + std::to_string(all) +
                          " bytes, and the part that grew last has " + std::to_string(part.keys()) +
                          " keys" + part.longest_keys(*layout_) +
                          "; spark.penstock.state.maxBytes allows " + std::to_string(most_bytes_) +
                          ": raise it, spread the keys over more tasks, or have fewer");
}

std::vector<region::Package> KeyedParts::donate(const region::HashRing& ring, int self) {
  std::vector<KeyedPart::Leaving> leaving;  // by part
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

void KeyedParts::collect(const tuple::Batch& rows) {
  CutKeys keys;
  cut(layout_->keys, rows, keys);
  for (int i = 0; i < size(); ++i) {
    KeyedPart& here = part(i);
    const std::size_t known = here.keys();
    const auto mine = keys.cut.rows_of(i);
    if (mine.empty()) continue;
    (keys_.is_word() ? here.words.reserve(mine.size()) : here.bytes.reserve(mine.size()));
    find_keys(i, keys);
    PENSTOCK_CHECK(here.keys() == known + mine.size(), "a key has one channel");
    here.restore(*layout_, rows, mine, keys.ids);
    count_memory(here);
  }
}

tuple::Batch KeyedParts::snapshot() const {
  std::vector<tuple::Batch> batches;
  batches.reserve(parts_.size());
  for (const auto& part : parts_) batches.push_back(part->pack(*layout_, part->list_keys()));
  return joined(std::move(batches));
}

tuple::Batch KeyedParts::joined(std::vector<tuple::Batch> packages) const {
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

std::size_t KeyedParts::keys() const noexcept {
  std::size_t known = 0;
  for (const auto& part : parts_) known += part->keys();
  return known;
}

}  // namespace penstock::ops
