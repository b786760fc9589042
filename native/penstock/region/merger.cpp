#include "penstock/region/merger.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "penstock/base/check.hpp"

namespace penstock::region {

namespace {

// How many of a fragment's rows came from the first `rows` of the tuple.
std::int64_t good_rows(const Fragment& fragment, std::int64_t rows) {
  return std::ranges::lower_bound(fragment.rows, rows) - fragment.rows.begin();
}

// The fragments of one channel, read row by row.
class Reader {
 public:
  Reader(std::span<const Fragment> fragments, std::int32_t first_batch) noexcept
      : fragments_(fragments), batch_(first_batch) {
    skip_ended();
  }

  [[nodiscard]] bool ended() const noexcept { return fragments_.empty(); }
  [[nodiscard]] std::int32_t row() const noexcept { return fragments_.front().rows[at_]; }

  // All that came from row().
  void take(std::vector<tuple::RowRef>& out) {
    const std::int32_t row = this->row();
    while (!ended() && this->row() == row) {
      out.push_back({.batch = batch_, .row = static_cast<std::int32_t>(at_++)});
      skip_ended();
    }
    PENSTOCK_CHECK(ended() || this->row() > row, "a channel keeps the order of its rows");
  }

 private:
  void skip_ended() noexcept {
    while (!fragments_.empty() && at_ == fragments_.front().rows.size()) {
      fragments_ = fragments_.subspan(1);
      ++batch_;
      at_ = 0;
    }
  }

  std::span<const Fragment> fragments_;
  std::int32_t batch_;
  std::size_t at_ = 0;
};

}  // namespace

void Merger::merge(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                   graph::Output& output) const {
  std::vector<tuple::Batch> batches;
  std::vector<Reader> readers;
  std::size_t total = 0;
  for (const auto& fragments : by_channel) {
    const Reader reader(fragments, static_cast<std::int32_t>(batches.size()));
    if (!reader.ended()) readers.push_back(reader);
    for (const Fragment& fragment : fragments) {
      batches.push_back(fragment.batch);
      total += fragment.rows.size();
    }
  }
  if (readers.size() <= 1) {
    pass_on_all(by_channel, rows, output);
    return;
  }
  std::vector<tuple::RowRef> order;
  std::vector<std::int32_t> from;
  order.reserve(total);
  while (!readers.empty()) {
    const auto first = std::ranges::min_element(readers, {}, &Reader::row);
    const std::int32_t row = first->row();
    if (row >= rows) break;
    first->take(order);
    if (tells_ == Tells::kRows) from.resize(order.size(), row);
    if (first->ended()) readers.erase(first);
  }
  if (order.empty()) return;
  if (tells_ == Tells::kRows) {
    output.emit_rows(gatherer_.gather(batches, order), from, 0);
  } else {
    output.emit(gatherer_.gather(batches, order), 0);
  }
}

// What one channel alone made.
void Merger::pass_on_all(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                         graph::Output& output) const {
  if (tells_ == Tells::kNothing) {
    pass_on(by_channel, rows, output);
    return;
  }
  for (auto& fragments : by_channel) {
    for (const Fragment& fragment : fragments) {
      const std::int64_t good = good_rows(fragment, rows);
      if (good == 0) continue;
      output.emit_rows(fragment.batch.slice(0, good),
                       std::span(fragment.rows).first(static_cast<std::size_t>(good)), 0);
    }
    fragments.clear();
  }
}

void Merger::merge_endings(std::span<const Channel::Ending> by_channel,
                           graph::Output& output) const {
  struct Placed {
    const std::string* order;
    tuple::RowRef row;
  };
  std::vector<tuple::Batch> batches;
  std::vector<Placed> placed;
  for (const Channel::Ending& ending : by_channel) {
    for (const Fragment& fragment : ending.made) {
      const auto batch = static_cast<std::int32_t>(batches.size());
      std::int32_t at = 0;
      for (const auto row : fragment.rows) {
        placed.push_back({.order = &ending.order[static_cast<std::size_t>(row)],
                          .row = {.batch = batch, .row = at++}});
      }
      batches.push_back(fragment.batch);
    }
  }
  if (placed.empty()) return;
  const auto is_before = [](const Placed& one, const Placed& other) {
    if (const int order = one.order->compare(*other.order); order != 0) return order < 0;
    return std::pair(one.row.batch, one.row.row) < std::pair(other.row.batch, other.row.row);
  };
  std::ranges::sort(placed, is_before);
  std::vector<tuple::RowRef> rows;
  rows.reserve(placed.size());
  for (const Placed& each : placed) rows.push_back(each.row);
  output.emit(gatherer_.gather(batches, rows), 0);
}

void Merger::pass_on(std::span<std::vector<Fragment>> by_channel, std::int64_t rows,
                     graph::Output& output) {
  for (auto& fragments : by_channel) {
    for (Fragment& fragment : fragments) {
      const bool traced = !fragment.rows.empty();
      const std::int64_t good = traced ? good_rows(fragment, rows) : fragment.batch.rows();
      if (good != 0) output.emit(fragment.batch.slice(0, good), 0);
    }
    fragments.clear();
  }
}

}  // namespace penstock::region
