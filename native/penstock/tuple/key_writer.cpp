#include "penstock/tuple/key_writer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "penstock/base/check.hpp"
#include "penstock/tuple/bits.hpp"
#include "penstock/tuple/key_readers.hpp"

namespace penstock::tuple {

namespace {

// Adds the validity bitmap, if there are nulls, and returns how many.
template <typename IsNull>
std::int64_t add_validity(OwnArray& array, std::int64_t rows, IsNull is_null) {
  std::int64_t nulls = 0;
  for (std::int64_t row = 0; row < rows; ++row) nulls += is_null(row) ? 1 : 0;
  if (nulls == 0) {
    array.skip_buffer();
  } else {
    auto* const bits = array.add_buffer<std::uint8_t>((rows + 7) / 8);
    write_bits(bits, rows, [=](std::int64_t row) { return !is_null(row); });
  }
  return nulls;
}

// Exact: the value was a half when it was read.
std::uint16_t half_of(std::uint64_t word) noexcept {
  const auto value = std::bit_cast<double>(word);
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  if (std::isnan(value)) return 0x7E00;
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | 0x7C00U);
  const double size = std::abs(value);
  if (size < 0x1p-14)
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(size * 0x1p24));
  const int exponent = std::ilogb(size);
  const auto fraction = static_cast<unsigned>(std::ldexp(size, 10 - exponent)) - 1024U;
  return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent + 15) << 10U) |
                                    fraction);
}

template <typename Value, typename Convert>
void put(OwnArray& array, std::span<const std::uint64_t> words, Convert convert) {
  auto* const out = array.add_buffer<Value>(std::ssize(words));
  std::ranges::transform(words, out, convert);
}

template <typename Value>
void put_low_bits(OwnArray& array, std::span<const std::uint64_t> words) {
  put<Value>(array, words, [](std::uint64_t word) { return static_cast<Value>(word); });
}

void put_words(const Field& field, std::span<const std::uint64_t> words, OwnArray& array) {
  if (field.kind == Kind::kBool) {
    const auto rows = std::ssize(words);
    auto* const bits = array.add_buffer<std::uint8_t>((rows + 7) / 8);
    write_bits(bits, rows,
               [=](std::int64_t row) { return words[static_cast<std::size_t>(row)] != 0; });
    return;
  }
  const bool is_float = field.kind == Kind::kFloat;
  if (is_float && field.width == 2) {
    put<std::uint16_t>(array, words, half_of);
  } else if (is_float && field.width == 4) {
    put<float>(array, words,
               [](std::uint64_t word) { return static_cast<float>(std::bit_cast<double>(word)); });
  } else if (field.width == 1) {
    put_low_bits<std::uint8_t>(array, words);
  } else if (field.width == 2) {
    put_low_bits<std::uint16_t>(array, words);
  } else if (field.width == 4) {
    put_low_bits<std::uint32_t>(array, words);
  } else {
    put_low_bits<std::uint64_t>(array, words);
  }
}

void write_words(const Field& field, std::span<const std::uint64_t> words,
                 std::span<const std::uint8_t> nulls, OwnArray& out) {
  OwnArray array(std::ssize(words));
  std::int64_t count = std::ssize(words);
  if (field.kind != Kind::kNull) {
    count = add_validity(array, std::ssize(words), [=](std::int64_t row) {
      return !nulls.empty() && nulls[static_cast<std::size_t>(row)] != 0;
    });
    put_words(field, words, array);
  }
  out.add_child(std::move(array).finish(count));
}

template <typename Offset>
void put_bytes(const Field& field, std::span<const std::string_view> keys, OwnArray& array) {
  std::uint64_t size = 0;
  for (const auto key : keys) size += key.size();
  if (std::cmp_greater(size, std::numeric_limits<Offset>::max())) {
    throw std::length_error("the keys in column " + describe(field) + " take " +
                            std::to_string(size) + " bytes, and its type can hold " +
                            std::to_string(std::numeric_limits<Offset>::max()) +
                            ": use its large type for the key");
  }
  auto* offset = array.add_buffer<Offset>(std::ssize(keys) + 1);
  auto* const bytes = array.add_buffer<char>(static_cast<std::int64_t>(size));
  *offset = 0;
  for (const auto key : keys) {
    if (!key.empty()) std::memcpy(bytes + *offset, key.data(), key.size());
    offset[1] = *offset + static_cast<Offset>(key.size());
    ++offset;
  }
}

// Decimals are cut down as keys: the sign fills them up.
void put_fixed(const Field& field, std::span<const std::string_view> keys, OwnArray& array) {
  auto* out = array.add_buffer<char>(std::ssize(keys) * field.width);
  const auto width = static_cast<std::size_t>(field.width);
  for (const auto key : keys) {
    PENSTOCK_CHECK(key.size() <= width, "a key is not longer than its column is wide");
    const bool negative = field.kind == Kind::kDecimal && !key.empty() && key.back() < 0;
    if (!key.empty()) std::memcpy(out, key.data(), key.size());
    std::memset(out + key.size(), negative ? 0xFF : 0, width - key.size());
    out += width;
  }
}

void write_bytes(const Field& field, std::span<const std::string_view> keys, OwnArray& out) {
  OwnArray array(std::ssize(keys));
  const auto nulls = add_validity(array, std::ssize(keys), [=](std::int64_t row) {
    return keys[static_cast<std::size_t>(row)].data() == nullptr;
  });
  if (field.kind == Kind::kBytes) {
    put_bytes<std::int32_t>(field, keys, array);
  } else if (field.kind == Kind::kLargeBytes) {
    put_bytes<std::int64_t>(field, keys, array);
  } else {
    put_fixed(field, keys, array);
  }
  out.add_child(std::move(array).finish(nulls));
}

std::uint64_t take_word(std::string_view& rest) {
  std::uint64_t word = 0;
  PENSTOCK_CHECK(rest.size() >= sizeof(word), "a composite key is whole");
  std::memcpy(&word, rest.data(), sizeof(word));
  rest.remove_prefix(sizeof(word));
  return word;
}

unsigned take_head(std::string_view& rest) {
  PENSTOCK_CHECK(!rest.empty(), "a composite key has a part for each column");
  const auto head = static_cast<unsigned char>(rest.front());
  rest.remove_prefix(1);
  return head;
}

// The next part of composite keys of bytes (how they are made: key_values.cpp).
std::string_view take_bytes(std::string_view& rest) {
  const unsigned head = take_head(rest);
  if (head == 0) return {};
  const std::uint64_t size = head == 0xFF ? take_word(rest) : head - 1;
  PENSTOCK_CHECK(size <= rest.size(), "a composite key is whole");
  const std::string_view bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  return bytes;
}

void write_next_words(const Field& field, std::span<std::string_view> rests, OwnArray& out) {
  std::vector<std::uint64_t> words(rests.size());
  std::vector<std::uint8_t> nulls(rests.size());
  for (std::size_t row = 0; row < rests.size(); ++row) {
    nulls[row] = take_head(rests[row]) == 0 ? 1 : 0;
    if (nulls[row] == 0) words[row] = take_word(rests[row]);
  }
  write_words(field, words, nulls, out);
}

Field written(Field field) {
  if (!field.dictionary.empty()) {
    Field values = std::move(field.dictionary[0]);
    values.name = std::move(field.name);
    field = std::move(values);
  }
  if (field.kind == Kind::kBytesView) {
    field.format = field.format == "vu" ? "U" : "Z";
    field.kind = Kind::kLargeBytes;
    field.width = 0;
  }
  return field;
}

}  // namespace

KeyWriter::KeyWriter(const Schema& schema, const std::vector<int>& columns) {
  const auto fields = read_fields(schema);
  for (const int column : columns) {
    fields_.push_back(written(fields.at(static_cast<std::size_t>(column))));
  }
}

void KeyWriter::write(std::span<const std::uint64_t> words, std::span<const std::uint8_t> nulls,
                      OwnArray& out) const {
  PENSTOCK_CHECK(fields_.size() == 1 && keys::fits_word(fields_[0]), "keys of one word");
  write_words(fields_[0], words, nulls, out);
}

void KeyWriter::write(std::span<const std::string_view> keys, OwnArray& out) const {
  if (fields_.size() == 1) {
    write_bytes(fields_[0], keys, out);
    return;
  }
  std::vector<std::string_view> rests(keys.begin(), keys.end());
  std::vector<std::string_view> parts(keys.size());
  for (const Field& field : fields_) {
    if (keys::fits_word(field)) {
      write_next_words(field, rests, out);
    } else {
      std::ranges::transform(rests, parts.begin(), take_bytes);
      write_bytes(field, parts, out);
    }
  }
}

}  // namespace penstock::tuple
