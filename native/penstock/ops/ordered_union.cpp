#include "penstock/ops/ordered_union.hpp"

#include <algorithm>
#include <utility>

#include "penstock/ops/ascending.hpp"
#include "penstock/ops/saved_values.hpp"
#include "penstock/tuple/column_values.hpp"
#include "penstock/tuple/sort_key.hpp"

namespace penstock::ops {

OrderedUnion::OrderedUnion(const tuple::Schema& input, const tuple::Schema& output, int branches,
                           int order_column, const Options& options)
    : KeyedRows(input, output, options),
      codec_(input),
      order_column_(order_column),
      branches_(static_cast<std::size_t>(branches)) {}

void OrderedUnion::work(const tuple::Batch& batch, std::span<const std::uint32_t> /*ids*/,
                        Made& made) {
  const auto& fields = codec_.fields();
  const auto& order_field = fields[static_cast<std::size_t>(order_column_)];
  const tuple::RowEncoder encoder(codec_, batch);
  for (std::int32_t at = 0; std::cmp_less(at, batch.rows()); ++at) {
    auto& branch =
        branches_[static_cast<std::size_t>(tuple::whole_at(fields[0], batch.column(0), at))];
    Row row;
    tuple::append_sort_key(order_field, batch.column(order_column_), at, row.order);
    if (branch.shown && row.order < branch.latest) fail_descending(order_field.name, at);
    for (int column = 1; std::cmp_less(column, fields.size()); ++column) {
      encoder.encode(at, column, row.bytes);
    }
    branch.shown = true;
    branch.latest = row.order;
    wait(branch, std::move(row));
    const std::string* const until = all_have_shown();
    if (until == nullptr) continue;
    const std::string last = *until;
    for (auto* first = next(); first != nullptr && first->waiting.front().order <= last;
         first = next()) {
      leave(*first, at, made);
    }
  }
}

const std::string* OrderedUnion::all_have_shown() const noexcept {
  if (!std::ranges::all_of(branches_, &Branch::shown)) return nullptr;
  return &std::ranges::min_element(branches_, {}, &Branch::latest)->latest;
}

OrderedUnion::Branch* OrderedUnion::next() noexcept {
  Branch* first = nullptr;
  for (Branch& branch : branches_) {
    if (branch.waiting.empty()) continue;
    if (first == nullptr || branch.waiting.front().order < first->waiting.front().order) {
      first = &branch;
    }
  }
  return first;
}

void OrderedUnion::wait(Branch& branch, Row row) {
  row_bytes_ += sizeof(Row) + row.order.capacity() + row.bytes.capacity();
  branch.waiting.push_back(std::move(row));
}

void OrderedUnion::leave(Branch& branch, std::int32_t from, Made& made) {
  const Row& row = branch.waiting.front();
  made.add(row.bytes, from);
  row_bytes_ -= sizeof(Row) + row.order.capacity() + row.bytes.capacity();
  branch.waiting.pop_front();
}

void OrderedUnion::flush(std::uint32_t /*id*/, Made& made) {
  while (Branch* const first = next()) leave(*first, 0, made);
}

void OrderedUnion::save(std::uint32_t /*id*/, std::string& out) const {
  for (const Branch& branch : branches_) {
    tuple::encode_value(static_cast<std::uint8_t>(branch.shown), out);
    tuple::encode_bytes(branch.latest, out);
    tuple::encode_value(static_cast<std::uint64_t>(branch.waiting.size()), out);
    for (const Row& row : branch.waiting) {
      tuple::encode_bytes(row.order, out);
      tuple::encode_bytes(row.bytes, out);
    }
  }
}

void OrderedUnion::restore(std::uint32_t /*id*/, std::string_view saved) {
  SavedValues values(saved);
  for (Branch& branch : branches_) {
    branch.shown = values.next<std::uint8_t>() != 0;
    branch.latest = values.next_bytes();
    for (auto left = values.next<std::uint64_t>(); left > 0; --left) {
      std::string order = values.next_bytes();
      wait(branch, {.order = std::move(order), .bytes = values.next_bytes()});
    }
  }
}

void OrderedUnion::forget(std::uint32_t /*id*/) noexcept {
  for (Branch& branch : branches_) branch = Branch();
  row_bytes_ = 0;
}

}  // namespace penstock::ops
