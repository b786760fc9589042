#include "penstock/ops/pattern.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "penstock/ops/ascending.hpp"
#include "penstock/ops/saved_values.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/column_values.hpp"

namespace penstock::ops {

namespace {

void encode_whole(const tuple::Field& field, std::int64_t value, std::string& out) {
  switch (field.width) {
    case 1:
      tuple::encode_value(static_cast<std::int8_t>(value), out);
      return;
    case 2:
      tuple::encode_value(static_cast<std::int16_t>(value), out);
      return;
    case 4:
      tuple::encode_value(static_cast<std::int32_t>(value), out);
      return;
    default:
      tuple::encode_value(value, out);
  }
}

}  // namespace

Pattern::Pattern(const tuple::Schema& input, const tuple::Schema& output, Shape shape,
                 const Options& options)
    : KeyedRows(input, output, options),
      shape_(std::move(shape)),
      keys_(options.keys),
      machine_(shape_.steps),
      codec_(input) {}

void Pattern::work(const tuple::Batch& batch, std::span<const std::uint32_t> ids, Made& made) {
  const auto& time_field = codec_.fields()[static_cast<std::size_t>(shape_.time)];
  const tuple::RowEncoder encoder(codec_, batch);
  std::string made_row;
  for (std::int32_t at = 0; std::cmp_less(at, ids.size()); ++at) {
    if (encoder.is_null(at, shape_.time)) continue;
    Known& known = known_[ids[static_cast<std::size_t>(at)]];
    const std::int64_t time = tuple::whole_at(time_field, batch.column(shape_.time), at);
    check_ascends(known.latest, time, time_field.name, at);
    known.latest = time;
    ++known.rows;
    if (const auto found = advance(known, predicates_of(batch, at), time)) {
      made_row.clear();
      encode_row(encoder, at, *found, known.rows, made_row);
      made.add(made_row, at);
    }
  }
}

std::uint64_t Pattern::predicates_of(const tuple::Batch& batch, std::int64_t row) const {
  std::uint64_t found = 0;
  for (std::size_t at = 0; at < shape_.predicates.size(); ++at) {
    const int number = shape_.predicates[at];
    const auto column = batch.column(number);
    if (tuple::is_null(codec_.fields()[static_cast<std::size_t>(number)], column, row)) continue;
    if (tuple::bit_at(column.array->buffers[1], column.offset + row)) {
      found |= std::uint64_t{1} << at;
    }
  }
  return found;
}

void Pattern::encode_row(const tuple::RowEncoder& encoder, std::int32_t row,
                         const Beginning& beginning, std::int64_t number, std::string& out) const {
  for (const int key : keys_) encoder.encode(row, key, out);
  encode_whole(codec_.fields()[static_cast<std::size_t>(shape_.time)], beginning.time, out);
  encoder.encode(row, shape_.time, out);
  tuple::encode_value(number - beginning.number + 1, out);
}

std::optional<Pattern::Beginning> Pattern::advance(Known& known, std::uint64_t predicates,
                                                   std::int64_t time) {
  expire(known, time);
  const std::uint64_t positions = machine_.positions(predicates);
  std::vector<Group> next;
  for (Group& group : known.groups) {
    beginnings_ -= group.beginnings.size();
    group.state = machine_.step(group.state, positions);
    if (!group.state.is_dead()) add(next, std::move(group));
  }
  if (const auto state = machine_.begin(positions); state.now != 0) {
    Group group{.state = state, .beginnings = {}};
    group.beginnings.push_back({.time = time, .number = known.rows});
    add(next, std::move(group));
  }
  known.groups = std::move(next);
  std::optional<Beginning> first;
  for (Group& group : known.groups) {
    if (!machine_.accepts(group.state)) continue;
    const Beginning& here = group.beginnings.front();
    if (!first || here.number < first->number) first = here;
  }
  if (first) drop_all(known);
  return first;
}

void Pattern::expire(Known& known, std::int64_t time) {
  if (!shape_.within) return;
  for (Group& group : known.groups) {
    // The difference of two times may be more than 64 bits hold.
    while (!group.beginnings.empty() &&
           static_cast<std::uint64_t>(time) -
                   static_cast<std::uint64_t>(group.beginnings.front().time) >
               static_cast<std::uint64_t>(*shape_.within)) {
      group.beginnings.pop_front();
      --beginnings_;
    }
  }
  std::erase_if(known.groups, [](const Group& group) { return group.beginnings.empty(); });
}

// Without a limit of time a later beginning never outlives an earlier one in the same state.
void Pattern::add(std::vector<Group>& groups, Group group) {
  auto same = std::ranges::find(groups, group.state, &Group::state);
  if (same == groups.end()) {
    beginnings_ += group.beginnings.size();
    groups.push_back(std::move(group));
    return;
  }
  beginnings_ -= same->beginnings.size();
  FrontQueue<Beginning>& known = same->beginnings;
  if (std::prev(known.end())->number > group.beginnings.front().number) {
    std::vector<Beginning> all;
    std::ranges::merge(known, group.beginnings, std::back_inserter(all), {}, &Beginning::number,
                       &Beginning::number);
    known.assign(std::move(all));
  } else if (shape_.within) {  // as a rule: groups that began later catch up
    for (const Beginning& beginning : group.beginnings) known.push_back(beginning);
  }
  if (!shape_.within) known.assign({known.front()});
  beginnings_ += known.size();
}

void Pattern::drop_all(Known& known) noexcept {
  for (const Group& group : known.groups) beginnings_ -= group.beginnings.size();
  known.groups.clear();
}

void Pattern::save(std::uint32_t id, std::string& out) const {
  const Known& known = known_[id];
  tuple::encode_value(known.latest, out);
  tuple::encode_value(known.rows, out);
  tuple::encode_value(static_cast<std::uint64_t>(known.groups.size()), out);
  for (const Group& group : known.groups) {
    tuple::encode_value(group.state.now, out);
    tuple::encode_value(group.state.before, out);
    tuple::encode_value(static_cast<std::uint64_t>(group.beginnings.size()), out);
    for (const Beginning& beginning : group.beginnings) {
      tuple::encode_value(beginning.time, out);
      tuple::encode_value(beginning.number, out);
    }
  }
}

void Pattern::restore(std::uint32_t id, std::string_view saved) {
  Known& known = known_[id];
  SavedValues values(saved);
  known.latest = values.next<std::int64_t>();
  known.rows = values.next<std::int64_t>();
  for (auto groups = values.next<std::uint64_t>(); groups > 0; --groups) {
    Group group;
    group.state.now = values.next<std::uint64_t>();
    group.state.before = values.next<std::uint64_t>();
    for (auto left = values.next<std::uint64_t>(); left > 0; --left) {
      const auto time = values.next<std::int64_t>();
      group.beginnings.push_back({.time = time, .number = values.next<std::int64_t>()});
    }
    add(known.groups, std::move(group));
  }
}

void Pattern::forget(std::uint32_t id) noexcept {
  drop_all(known_[id]);
  known_[id] = Known();
}

std::size_t Pattern::state_bytes() const noexcept {
  return (known_.capacity() * sizeof(Known)) + (beginnings_ * (sizeof(Beginning) + sizeof(Group)));
}

std::size_t Pattern::bytes_of(std::uint32_t id) const noexcept {
  std::size_t beginnings = 0;
  for (const Group& group : known_[id].groups) beginnings += group.beginnings.size();
  return beginnings * (sizeof(Beginning) + sizeof(Group));
}

}  // namespace penstock::ops
