// How loops in a library make rows of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock_rows.hpp"

namespace penstock {

// Makes rows one by one: add(1, 2.5, "text", std::nullopt), a value for each column.
class Builder {
 public:
  explicit Builder(Formats formats) : formats_(std::move(formats)) {
    columns_.resize(static_cast<std::size_t>(formats_.count()));
  }

  template <typename... Values>
  void add(const Values&... values) {
    if (sizeof...(Values) != columns_.size()) {
      throw std::invalid_argument("a row has " + std::to_string(columns_.size()) +
                                  " columns, and " + std::to_string(sizeof...(Values)) +
                                  " values are given");
    }
    int column = 0;
    (check(column++, values), ...);
    column = 0;
    (put(column++, values), ...);
    ++rows_;
  }
  [[nodiscard]] std::int64_t rows() const noexcept { return rows_; }

  [[nodiscard]] Rows finish() && {
    auto held = std::make_unique<OwnedArrays>();
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      const std::string& format = formats_.at(static_cast<int>(at));
      held->arrays.push_back(array_of(std::move(columns_[at]), format == "b", is_text(format)));
    }
    return {OwnedArrays::as_struct(std::move(held), rows_), std::move(formats_)};
  }

 private:
  struct Made {
    std::vector<std::uint8_t> valid, values;
    std::vector<std::int32_t> ends{0};
    std::int64_t nulls = 0;
    std::vector<const void*> buffers{};
  };

  template <typename T>
  struct Plain {
    using type = std::conditional_t<std::is_arithmetic_v<T>, T, std::string_view>;
  };
  template <typename T>
  struct Plain<std::optional<T>> : Plain<T> {};

  static bool is_text(const std::string& format) { return format == "u" || format == "z"; }
  static std::size_t width_of(const std::string& format) {
    switch (format[0]) {
      case 'd':
        return 16;
      case 'b':
      case 'c':
      case 'C':
        return 1;
      case 's':
      case 'S':
        return 2;
      case 'i':
      case 'I':
      case 'f':
        return 4;
      default:
        return format == "tdD" || format == "tts" || format == "ttm" ? 4 : 8;
    }
  }

  void check(int column, std::nullopt_t /*null*/) const { (void)formats_.at(column); }
  template <typename T>
  void check(int column, const T& /*value*/) const {
    formats_.check<typename Plain<std::decay_t<T>>::type>(column);
  }
  void put(int column, std::nullopt_t /*null*/) {
    Made& made = columns_[static_cast<std::size_t>(column)];
    made.valid.push_back(0);
    ++made.nulls;
    const std::string& format = formats_.at(column);
    if (is_text(format)) {
      made.ends.push_back(made.ends.back());
    } else {
      made.values.resize(made.values.size() + width_of(format));
    }
  }
  template <typename T>
  void put(int column, const std::optional<T>& value) {
    value ? put(column, *value) : put(column, std::nullopt);
  }
  template <typename T>
  void put(int column, const T& value) {
    Made& made = columns_[static_cast<std::size_t>(column)];
    made.valid.push_back(1);
    if constexpr (std::is_arithmetic_v<T>) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
      made.values.insert(made.values.end(), bytes, bytes + sizeof(T));
    } else {
      const std::string_view text(value);
      made.values.insert(made.values.end(), text.begin(), text.end());
      made.ends.push_back(static_cast<std::int32_t>(made.values.size()));
    }
  }

  static std::vector<std::uint8_t> packed(const std::vector<std::uint8_t>& flags) {
    std::vector<std::uint8_t> bits((flags.size() + 7) / 8);
    for (std::size_t at = 0; at < flags.size(); ++at) {
      if (flags[at] != 0) bits[at / 8] |= static_cast<std::uint8_t>(1U << (at % 8));
    }
    return bits;
  }
  static ArrowArray array_of(Made&& column, bool flags, bool text) {
    auto held = std::make_unique<Made>(std::move(column));
    ArrowArray made{};
    made.length = static_cast<std::int64_t>(held->valid.size());
    made.null_count = held->nulls;
    held->valid = packed(held->valid);
    if (flags) held->values = packed(held->values);
    held->values.reserve(1);  // an address, also where no byte is
    held->buffers.push_back(held->nulls == 0 ? nullptr : held->valid.data());
    if (text) held->buffers.push_back(held->ends.data());
    held->buffers.push_back(held->values.data());
    made.n_buffers = static_cast<std::int64_t>(held->buffers.size());
    made.buffers = held->buffers.data();
    made.release = [](ArrowArray* array) {
      delete static_cast<Made*>(array->private_data);
      array->release = nullptr;
    };
    made.private_data = held.release();
    return made;
  }

  Formats formats_;
  std::vector<Made> columns_;
  std::int64_t rows_ = 0;
};

}  // namespace penstock
