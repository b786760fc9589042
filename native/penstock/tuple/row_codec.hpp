#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "penstock/tuple/batch.hpp"
#include "penstock/tuple/field.hpp"
#include "penstock/tuple/schema.hpp"

namespace penstock::tuple {

// Rows as bytes, for operators that keep some of them, and back as columns. Every value tells its
// own length, so the bytes of two rows, one behind the other, are those of a row with the columns
// of both. Numbers lie as Arrow has them; nobody else reads these bytes.
//
// Immutable after construction: threads may share one.
class RowCodec {
 public:
  // Throws std::invalid_argument, naming the column, for what cannot be kept: nested types and
  // dictionaries.
  explicit RowCodec(const Schema& schema);

  // The columns that such rows make. Throws std::length_error, naming the column, if its type
  // cannot hold that many bytes.
  [[nodiscard]] Batch decode(std::span<const std::string_view> rows) const;

  [[nodiscard]] const std::vector<Field>& fields() const noexcept { return fields_; }

 private:
  std::vector<Field> fields_;
};

// Reads the rows of one batch, whose columns are those of a codec.
class RowEncoder {
 public:
  RowEncoder(const RowCodec& codec, const Batch& batch);

  // Appends the row.
  void encode(std::int64_t row, std::string& out) const;
  // Appends one value of it.
  void encode(std::int64_t row, int column, std::string& out) const;
  [[nodiscard]] bool is_null(std::int64_t row, int column) const;

 private:
  const std::vector<Field>* fields_;
  std::vector<ColumnSlice> columns_;
};

// Append a value that no column has yet.
inline void encode_null(std::string& out) { out.push_back('\0'); }
template <typename Value>
  requires std::is_arithmetic_v<Value>
void encode_value(Value value, std::string& out) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  out.push_back('\1');
  out.append(bytes.data(), bytes.size());
}
void encode_bytes(std::string_view value, std::string& out);

// Takes values off the front of bytes that others appended.
class ValueReader {
 public:
  explicit ValueReader(std::string_view bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] bool ended() const noexcept { return bytes_.empty(); }
  // Whether there is a value; must be asked before each, and if not there is none to read.
  [[nodiscard]] bool has_value() noexcept { return take(1)[0] != '\0'; }
  template <typename Value>
  [[nodiscard]] Value read() noexcept {
    std::array<char, sizeof(Value)> bytes{};
    take(sizeof(Value)).copy(bytes.data(), bytes.size());
    return std::bit_cast<Value>(bytes);
  }
  [[nodiscard]] std::string_view read_bytes() noexcept { return take(read<std::uint32_t>()); }
  [[nodiscard]] std::string_view rest() const noexcept { return bytes_; }

 private:
  std::string_view take(std::size_t count) noexcept {
    const auto taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace penstock::tuple
