#include "penstock/ops/top_k.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/sort_key.hpp"

namespace penstock::ops {

TopK::TopK(const tuple::Schema& schema, const Options& options, std::size_t most,
           std::vector<By> by)
    : KeyedRows(schema, schema, options), codec_(schema), most_(most), by_(std::move(by)) {
  if (most == 0 || by_.empty()) {
    throw std::invalid_argument("the best of rows are 1 or more, by 1 column or more");
  }
  for (const By& each : by_) {
    const tuple::Field& field = codec_.fields().at(static_cast<std::size_t>(each.column));
    if (field.kind == tuple::Kind::kFloat && field.width == 2) {
      throw std::invalid_argument("column " + describe(field) + " cannot be ordered by");
    }
  }
}

void TopK::write_rank(const tuple::Batch& batch, std::int64_t row, std::string& out) const {
  out.clear();
  for (const By& each : by_) {
    const tuple::Field& field = codec_.fields()[static_cast<std::size_t>(each.column)];
    const auto column = batch.column(each.column);
    const bool null = tuple::is_null(field, column, row);
    out.push_back(null ? '\1' : '\0');
    if (null) continue;
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    tuple::append_sort_key(field, column, row, out);
    if (!each.descending) continue;
    std::transform(out.begin() + begin, out.end(), out.begin() + begin,
                   [](char byte) { return static_cast<char>(~static_cast<unsigned char>(byte)); });
  }
}

void TopK::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& /*made*/) {
  const tuple::RowEncoder encoder(codec_, batch);
  std::string rank;
  for (std::int64_t row = 0; row < batch.rows(); ++row) {
    Best& best = best_[ids[static_cast<std::size_t>(row)]];
    write_rank(batch, row, rank);
    if (best.heap.size() == most_ && rank >= best.heap.front().rank) continue;
    Kept kept{.rank = rank, .came = best.came++, .row = {}};
    encoder.encode(row, kept.row);
    keep(best, std::move(kept));
  }
}

void TopK::keep(Best& best, Kept kept) {
  kept_bytes_ += bytes_of(kept);
  best.heap.push_back(std::move(kept));
  std::ranges::push_heap(best.heap, IsBetter{});
  if (best.heap.size() <= most_) return;
  std::ranges::pop_heap(best.heap, IsBetter{});
  kept_bytes_ -= bytes_of(best.heap.back());
  best.heap.pop_back();
}

std::vector<TopK::Kept> TopK::sorted(const Best& best) {
  std::vector<Kept> rows = best.heap;
  std::ranges::sort_heap(rows, IsBetter{});
  return rows;
}

void TopK::flush(std::uint32_t id, Made& made) {
  for (const Kept& kept : sorted(best_[id])) made.add(kept.row, 0);
}

void TopK::reserve(std::uint32_t limit) {
  best_.resize(std::max<std::size_t>(limit, best_.size()));
}

void TopK::save(std::uint32_t id, std::string& out) const {
  if (id >= best_.size()) return;
  for (const Kept& kept : sorted(best_[id])) {
    tuple::encode_bytes(kept.rank, out);
    tuple::encode_bytes(kept.row, out);
  }
}

void TopK::restore(std::uint32_t id, std::string_view saved) {
  tuple::ValueReader reader(saved);
  Best& best = best_[id];
  while (!reader.ended()) {
    Kept kept;
    if (reader.has_value()) kept.rank = reader.read_bytes();
    if (reader.has_value()) kept.row = reader.read_bytes();
    kept.came = best.came++;
    keep(best, std::move(kept));
  }
}

void TopK::forget(std::uint32_t id) noexcept {
  if (id >= best_.size()) return;
  for (const Kept& kept : best_[id].heap) kept_bytes_ -= bytes_of(kept);
  best_[id] = Best{};
}

std::size_t TopK::bytes_of(const Kept& kept) noexcept {
  return sizeof(Kept) + kept.rank.size() + kept.row.size();
}

std::size_t TopK::state_bytes() const noexcept {
  return kept_bytes_ + (best_.capacity() * sizeof(Best));
}

std::size_t TopK::bytes_of(std::uint32_t id) const noexcept {
  std::size_t taken = 0;
  for (const Kept& kept : best_[id].heap) taken += bytes_of(kept);
  return taken;
}

}  // namespace penstock::ops
