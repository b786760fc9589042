#include "penstock/ops/key_numbers.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "penstock/tuple/own_schema.hpp"
#include "penstock/tuple/sort_key.hpp"

namespace penstock::ops {

namespace {

std::vector<int> first_columns(std::size_t count) {
  std::vector<int> columns(count);
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

}  // namespace

KeyNumbers::KeyNumbers(const tuple::Schema& input, const std::vector<int>& columns) {
  if (columns.empty()) return;
  given_.emplace_back(input, columns);
  writer_.emplace_back(input, columns);
  packed_.emplace_back(tuple::make_schema(fields()), first_columns(columns.size()));
}

void KeyNumbers::number(const tuple::Batch& batch, std::vector<std::uint32_t>& ids, bool packed) {
  ids.assign(static_cast<std::size_t>(batch.rows()), 0);
  if (given_.empty()) return;
  const tuple::KeyColumns& columns = packed ? packed_.front() : given_.front();
  columns.hash(batch, hashes_);
  // Packed keys come in the order of another table.
  if (packed) (columns.is_word() ? words_.reserve(ids.size()) : bytes_.reserve(ids.size()));
  if (columns.is_word()) {
    const auto words = columns.words(batch, read_words_, nulls_);
    words_.find_or_add(words, hashes_, ids);
  } else {
    columns.bytes(batch, read_bytes_, arena_);
    bytes_.find_or_add(read_bytes_, hashes_, ids);
  }
}

std::uint32_t KeyNumbers::id_limit() const noexcept {
  return given_.empty() ? 1 : std::max(words_.id_limit(), bytes_.id_limit());
}

std::size_t KeyNumbers::size() const noexcept {
  return given_.empty() ? 1 : words_.size() + bytes_.size();
}

const std::vector<tuple::Field>& KeyNumbers::fields() const noexcept {
  static const std::vector<tuple::Field> none;
  return writer_.empty() ? none : writer_.front().fields();
}

KeyNumbers::Listed KeyNumbers::list() const {
  return list_where([](std::uint32_t /*id*/) { return true; });
}

KeyNumbers::Listed KeyNumbers::list(std::span<const std::uint32_t> only) const {
  return list_where([only](std::uint32_t id) { return std::ranges::find(only, id) != only.end(); });
}

template <typename Wanted>
KeyNumbers::Listed KeyNumbers::list_where(Wanted wanted) const {
  Listed listed;
  if (given_.empty()) {
    listed.ids = {0};
    return listed;
  }
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> nulls;
  std::vector<std::string_view> bytes;
  words_.for_each([&](std::optional<std::uint64_t> word, std::uint32_t id) {
    if (!wanted(id)) return;
    if (!word) {
      nulls.resize(listed.ids.size());
      nulls.push_back(1);
    }
    words.push_back(word.value_or(0));
    listed.ids.push_back(id);
  });
  bytes_.for_each([&](std::string_view key, std::uint32_t id) {
    if (!wanted(id)) return;
    bytes.push_back(key);
    listed.ids.push_back(id);
  });
  if (!nulls.empty()) nulls.resize(listed.ids.size());
  tuple::OwnArray root(std::ssize(listed.ids));
  root.skip_buffer();
  if (given_.front().is_word()) {
    writer_.front().write(words, nulls, root);
  } else {
    writer_.front().write(bytes, root);
  }
  listed.keys = std::move(root).finish_batch();
  return listed;
}

KeyNumbers::Sorted KeyNumbers::sort() const {
  const Listed listed = list();
  std::vector<std::pair<std::string, std::uint32_t>> sorted;
  sorted.reserve(listed.ids.size());
  for (std::size_t row = 0; row < listed.ids.size(); ++row) {
    std::string order;
    for (std::size_t column = 0; column < fields().size(); ++column) {
      tuple::append_sort_key(fields()[column], listed.keys.column(static_cast<int>(column)),
                             static_cast<std::int64_t>(row), order);
    }
    sorted.emplace_back(std::move(order), listed.ids[row]);
  }
  std::ranges::sort(sorted);
  Sorted made;
  for (auto& [order, id] : sorted) {
    made.ids.push_back(id);
    made.order.push_back(std::move(order));
  }
  return made;
}

std::vector<std::int32_t> KeyNumbers::channels(const Listed& listed,
                                               const region::HashRing& ring) const {
  // A key is hashed as a column of its type, so as it was when the splitter saw it.
  std::vector<std::uint64_t> hashes;
  packed_.front().hash(listed.keys, hashes);
  std::vector<std::int32_t> owners(hashes.size());
  ring.channels_of(hashes, owners);
  return owners;
}

void KeyNumbers::reserve_erased(std::size_t count) {
  (given_.front().is_word() ? words_.reserve_erased(count) : bytes_.reserve_erased(count));
}

void KeyNumbers::erase(std::span<const std::uint8_t> gone) noexcept {
  words_.erase_all(gone);
  bytes_.erase_all(gone);
}

}  // namespace penstock::ops
