#include "penstock/ops/key_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <string_view>

#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/column_values.hpp"

namespace penstock::ops {

namespace {

constexpr std::size_t kShown = 40;  // bytes of a text

// How many bytes the character that begins there has; 0 if it is none, or cannot be printed.
std::size_t character_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return first < 0x20 || first == 0x7F ? 0 : 1;
  std::size_t length = 0;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE1 && first < 0xED) length = 3;  // without those that need a second look
  if (first >= 0xF1 && first < 0xF4) length = 4;
  if (length > text.size()) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

std::string quoted(std::string_view text) {
  std::string made = "'";
  while (!text.empty() && made.size() <= kShown) {
    const std::size_t length = character_length(text);
    made += length == 0 ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return made + (text.empty() ? "'" : "...'");
}

template <typename Number>
std::string shortest(Number number) {
  char text[32];
  return {text, std::to_chars(std::begin(text), std::end(text), number).ptr};
}

std::string value_text(const tuple::Field& field, const tuple::ColumnSlice& column,
                       std::int64_t row) {
  if (tuple::is_null(field, column, row)) return "null";
  switch (field.kind) {
    case tuple::Kind::kBool:
      return tuple::bit_at(column.array->buffers[1], column.offset + row) ? "true" : "false";
    case tuple::Kind::kSigned:
      return std::to_string(tuple::whole_at(field, column, row));
    case tuple::Kind::kUnsigned:
      return std::to_string(static_cast<std::uint64_t>(tuple::whole_at(field, column, row)));
    case tuple::Kind::kFloat:
      if (field.width == sizeof(double)) {
        double number = 0;
        std::memcpy(&number, tuple::value_at(field, column, row), sizeof number);
        return shortest(number);
      }
      if (field.width == sizeof(float)) {
        float number = 0;
        std::memcpy(&number, tuple::value_at(field, column, row), sizeof number);
        return shortest(number);
      }
      return "?";
    case tuple::Kind::kBytes:
    case tuple::Kind::kLargeBytes:
      return quoted(tuple::bytes_at(field, column, row));
    default:
      return "?";
  }
}

}  // namespace

std::string key_text(const std::vector<tuple::Field>& fields, const tuple::Batch& keys,
                     std::int64_t row) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) text += ", ";
    text += fields[i].name + " = " + value_text(fields[i], keys.column(static_cast<int>(i)), row);
  }
  return text;
}

void LargestKeys::show(LargeKey key) {
  least_ = keys_.empty() ? key.bytes : std::min(least_, key.bytes);
  if (keys_.size() == kNamed && keys_.back().bytes >= key.bytes) return;
  const auto place = std::ranges::upper_bound(keys_, key.bytes, std::greater(), &LargeKey::bytes);
  keys_.insert(place, key);
  if (keys_.size() > kNamed) keys_.pop_back();
}

std::string largest_text(const LargestKeys& largest, const std::vector<tuple::Field>& fields,
                         const std::vector<std::uint32_t>& ids, const tuple::Batch& keys) {
  std::string text;
  for (const LargeKey& key : largest.keys()) {
    const auto at = std::ranges::find(ids, key.id) - ids.begin();
    if (!text.empty()) text += "; ";
    text += key_text(fields, keys, at) + " (" + std::to_string(key.bytes) + " bytes)";
  }
  return text;
}

}  // namespace penstock::ops
