#include "penstock/ops/keyed_part.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "penstock/ops/key_text.hpp"
#include "penstock/ops/made_column.hpp"
#include "penstock/region/cut.hpp"
#include "penstock/tuple/own_array.hpp"
#include "penstock/tuple/own_schema.hpp"

namespace penstock::ops {

namespace {

tuple::Schema schema_of(std::vector<tuple::Field> fields,
                        const std::vector<std::vector<tuple::Field>>& saved) {
  for (const auto& each : saved) fields.insert(fields.end(), each.begin(), each.end());
  return tuple::make_schema(fields);
}

std::vector<int> first_columns(std::size_t count) {
  std::vector<int> columns(count);
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

void write_keys(const PackageLayout& layout, const KeyedPart::Keys& keys, tuple::OwnArray& out) {
  if (layout.keys.is_word()) {
    layout.writer.write(keys.words, keys.nulls, out);
  } else {
    layout.writer.write(keys.bytes, out);
  }
}

// Adds the columns that save a state.
void write_states(const KeyStates& state, const std::vector<tuple::Field>& fields,
                  std::span<const std::uint32_t> ids, tuple::OwnArray& out) {
  std::vector<MadeColumn> made;
  std::vector<Column> columns;
  made.reserve(fields.size());
  columns.reserve(fields.size());
  for (const tuple::Field& field : fields) {
    columns.push_back(made.emplace_back(field, std::ssize(ids)).target());
  }
  state.save(ids, columns);
  for (MadeColumn& column : made) out.add_child(std::move(column).finish());
}

KeyedPart::Keys pick(const KeyedPart::Keys& all, std::span<const std::int32_t> rows) {
  KeyedPart::Keys picked;
  const auto pick_from = [rows](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(rows.size());
    for (const auto row : rows) to.push_back(from[static_cast<std::size_t>(row)]);
  };
  pick_from(all.words, picked.words);
  pick_from(all.nulls, picked.nulls);
  pick_from(all.bytes, picked.bytes);
  pick_from(all.ids, picked.ids);
  return picked;
}

}  // namespace

PackageLayout::PackageLayout(const tuple::Schema& input, const std::vector<int>& columns,
                             std::vector<std::vector<tuple::Field>> saved_fields)
    : writer(input, columns),
      saved(std::move(saved_fields)),
      schema(schema_of(writer.fields(), saved)),
      keys(schema, first_columns(columns.size())) {}

std::size_t KeyedPart::memory() const noexcept {
  std::size_t taken = words.bytes() + bytes.bytes();
  for (const auto& state : states) taken += state->bytes();
  return taken;
}

std::string KeyedPart::longest_keys(const PackageLayout& layout) const {
  LargestKeys longest;
  bytes.for_each([&](std::string_view key, std::uint32_t id) {
    longest.show({.id = id, .bytes = key.size()});
  });
  if (longest.all_alike()) return ", each as long as the others";
  Keys named;
  bytes.for_each([&](std::string_view key, std::uint32_t id) {
    if (std::ranges::find(longest.keys(), id, &LargeKey::id) == longest.keys().end()) return;
    named.bytes.push_back(key);
    named.ids.push_back(id);
  });
  tuple::OwnArray root(std::ssize(named.ids));
  root.skip_buffer();
  write_keys(layout, named, root);
  return "; its longest keys here are " +
         largest_text(longest, layout.writer.fields(), named.ids, std::move(root).finish_batch());
}

void KeyedPart::reserve_states() {
  const auto limit = std::max(words.id_limit(), bytes.id_limit());
  for (const auto& state : states) state->reserve(limit);
}

KeyedPart::Keys KeyedPart::list_keys() const {
  Keys found;
  found.ids.reserve(keys());
  found.words.reserve(words.size());
  found.bytes.reserve(bytes.size());
  words.for_each([&](std::optional<std::uint64_t> word, std::uint32_t id) {
    if (!word) {
      found.nulls.resize(words.size());
      found.nulls[found.ids.size()] = 1;
    }
    found.words.push_back(word.value_or(0));
    found.ids.push_back(id);
  });
  bytes.for_each([&](std::string_view key, std::uint32_t id) {
    found.bytes.push_back(key);
    found.ids.push_back(id);
  });
  return found;
}

tuple::Batch KeyedPart::pack(const PackageLayout& layout, const Keys& keys) const {
  tuple::OwnArray root(std::ssize(keys.ids));
  root.skip_buffer();
  write_keys(layout, keys, root);
  for (std::size_t i = 0; i < states.size(); ++i) {
    write_states(*states[i], layout.saved[i], keys.ids, root);
  }
  return std::move(root).finish_batch();
}

KeyedPart::Leaving KeyedPart::pack_leaving(const PackageLayout& layout,
                                           const region::HashRing& ring, int self) {
  const Keys all = list_keys();
  Leaving leaving;
  leaving.by_channel.resize(static_cast<std::size_t>(ring.channels()));
  // A key is hashed as a column of its type, so as it was when the splitter saw it.
  tuple::OwnArray root(std::ssize(all.ids));
  root.skip_buffer();
  write_keys(layout, all, root);
  std::vector<std::uint64_t> hashes;
  layout.keys.hash(std::move(root).finish_batch(), hashes);
  std::vector<std::int32_t> owners(hashes.size());
  ring.channels_of(hashes, owners);
  region::Cut cut;
  cut.assign(owners, ring.channels());

  leaving.gone.resize(std::max(words.id_limit(), bytes.id_limit()));
  for (int channel = 0; channel < ring.channels(); ++channel) {
    const auto rows = cut.rows_of(channel);
    if (channel == self || rows.empty()) continue;
    const Keys moved = pick(all, rows);
    leaving.by_channel[static_cast<std::size_t>(channel)] = pack(layout, moved);
    leaving.ids.insert(leaving.ids.end(), moved.ids.begin(), moved.ids.end());
  }
  for (const auto id : leaving.ids) leaving.gone[id] = 1;
  (layout.keys.is_word() ? words.reserve_erased(leaving.ids.size())
                         : bytes.reserve_erased(leaving.ids.size()));
  return leaving;
}

void KeyedPart::forget(const Leaving& leaving) noexcept {
  if (leaving.ids.empty()) return;
  if (leaving.ids.size() == keys()) {
    words = region::WordTable();
    bytes = region::ByteTable();
    for (const auto& state : states) state->clear();
    return;
  }
  words.erase_all(leaving.gone);
  bytes.erase_all(leaving.gone);
  for (const auto& state : states) state->forget(leaving.ids);
}

void KeyedPart::restore(const PackageLayout& layout, const tuple::Batch& batch,
                        std::span<const std::int32_t> rows, std::span<const std::uint32_t> ids) {
  int position = static_cast<int>(layout.writer.fields().size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::vector<tuple::ColumnSlice> columns;
    columns.reserve(layout.saved[i].size());
    for (std::size_t each = 0; each < layout.saved[i].size(); ++each) {
      columns.push_back(batch.column(position++));
    }
    states[i]->restore(columns, rows, ids);
  }
}

}  // namespace penstock::ops
