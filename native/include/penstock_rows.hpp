// Rows in Arrow's C data interface, as loops in a library read and make them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "penstock_loop.h"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
}
#endif

namespace penstock {

// Arrow's formats of the columns of a port. Copies share them: rows are taken far more often than
// anybody asks what they are.
class Formats {
 public:
  Formats() = default;
  Formats(penstock_loop_host& host, std::int32_t output, int port) {
    auto all = std::make_shared<List>();
    for (std::int64_t at = 0;; ++at) {
      const char* const format = host.format(&host, output, port, at);
      if (format == nullptr) break;
      all->emplace_back(format);
    }
    left_ = std::move(all);
  }

  [[nodiscard]] int count() const noexcept { return size(left_) + size(right_); }
  [[nodiscard]] const std::string& at(int column) const {
    if (column < 0 || column >= count()) {
      throw std::out_of_range("there is no column " + std::to_string(column) + " of " +
                              std::to_string(count()));
    }
    const int of_left = size(left_);
    return column < of_left ? (*left_)[static_cast<std::size_t>(column)]
                            : (*right_)[static_cast<std::size_t>(column - of_left)];
  }
  // Throws std::invalid_argument if the column has values of another type than T.
  template <typename T>
  void check(int column) const {
    const std::string& found = at(column);
    if (!fits<T>(found)) {
      throw std::invalid_argument("column " + std::to_string(column) + " has Arrow's format '" +
                                  found + "', and is used as " + name_of<T>());
    }
  }
  void append(const Formats& others) {
    if (size(right_) == 0 && size(others.right_) == 0) {
      right_ = others.left_;
      return;
    }
    auto all = std::make_shared<List>();
    for (const Formats* from : {static_cast<const Formats*>(this), &others}) {
      for (int column = 0; column < from->count(); ++column) all->push_back(from->at(column));
    }
    left_ = std::move(all);
    right_ = nullptr;
  }

 private:
  using List = std::vector<std::string>;
  using Shared = std::shared_ptr<const List>;

  static int size(const Shared& list) noexcept {
    return list == nullptr ? 0 : static_cast<int>(list->size());
  }
  template <typename T>
  static bool fits(const std::string& format) {
    const char one = format.size() == 1 ? format[0] : '\0';
    if constexpr (std::is_same_v<T, bool>) return one == 'b';
    if constexpr (std::is_same_v<T, std::string_view>) return one == 'u' || one == 'z';
    if constexpr (std::is_same_v<T, float>) return one == 'f';
    if constexpr (std::is_same_v<T, double>) return one == 'g';
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      constexpr auto size = sizeof(T);
      constexpr bool sign = std::is_signed_v<T>;
      const char number = size == 1   ? (sign ? 'c' : 'C')
                          : size == 2 ? (sign ? 's' : 'S')
                          : size == 4 ? (sign ? 'i' : 'I')
                                      : (sign ? 'l' : 'L');
      // Dates and times are numbers.
      const bool narrow = format == "tdD" || format == "tts" || format == "ttm";
      const bool wide = format[0] == 't' && !narrow;
      return one == number || (sign && size == 4 && narrow) || (sign && size == 8 && wide);
    }
    return false;
  }
  template <typename T>
  static std::string name_of() {
    if constexpr (std::is_same_v<T, bool>) return "bool";
    if constexpr (std::is_same_v<T, std::string_view>) return "text";
    const std::string bits = std::to_string(sizeof(T) * 8);
    if constexpr (std::is_floating_point_v<T>) return "float" + bits;
    return (std::is_signed_v<T> ? "int" : "uint") + bits;
  }

  Shared left_;
  Shared right_;  // of rows that stand beside others
};

// One column of some rows, for as long as these live: numbers, bool, std::string_view.
template <typename T>
class Column {
 public:
  Column(const ArrowArray& array, std::int64_t offset) : array_(&array), offset_(offset) {}

  [[nodiscard]] bool is_null(std::int64_t row) const {
    const void* const valid = array_->null_count == 0 ? nullptr : array_->buffers[0];
    return valid != nullptr && !bit(valid, offset_ + row);
  }
  // Anything, where it is null.
  [[nodiscard]] T operator[](std::int64_t row) const {
    const std::int64_t at = offset_ + row;
    if constexpr (std::is_same_v<T, bool>) {
      return bit(array_->buffers[1], at);
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      const auto* const ends = static_cast<const std::int32_t*>(array_->buffers[1]) + at;
      return {static_cast<const char*>(array_->buffers[2]) + ends[0],
              static_cast<std::size_t>(ends[1] - ends[0])};
    } else {
      return static_cast<const T*>(array_->buffers[1])[at];
    }
  }

 private:
  static bool bit(const void* bits, std::int64_t at) {
    return ((static_cast<const std::uint8_t*>(bits)[at / 8] >> (at % 8)) & 1) != 0;
  }

  const ArrowArray* array_;
  std::int64_t offset_;
};

// Some rows of some columns: moved, never copied.
class Rows {
 public:
  Rows() = default;
  Rows(const ArrowArray& array, Formats formats) : array_(array), formats_(std::move(formats)) {}
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  Rows(Rows&& other) noexcept
      : array_(std::exchange(other.array_, {})), formats_(std::move(other.formats_)) {}
  Rows& operator=(Rows&& other) noexcept {
    std::swap(array_, other.array_);
    std::swap(formats_, other.formats_);
    return *this;
  }
  ~Rows() {
    if (array_.release != nullptr) array_.release(&array_);
  }

  [[nodiscard]] std::int64_t rows() const noexcept { return array_.length; }
  [[nodiscard]] std::int64_t columns() const noexcept { return array_.n_children; }
  [[nodiscard]] const Formats& formats() const noexcept { return formats_; }

  // Throws std::invalid_argument for a column of another type.
  template <typename T>
  [[nodiscard]] Column<T> column(int number) const {
    formats_.check<T>(number);
    const ArrowArray& child = *array_.children[number];
    return {child, array_.offset + child.offset};
  }

  [[nodiscard]] ArrowArray release() && { return std::exchange(array_, {}); }

 private:
  ArrowArray array_{};
  Formats formats_;
};

// Arrays that are held together by one that owns them.
struct OwnedArrays {
  std::vector<ArrowArray> arrays;
  std::array<ArrowArray*, 8> few_places;  // which spares an allocation
  std::vector<ArrowArray*> many_places;
  const void* no_validity = nullptr;

  [[nodiscard]] static ArrowArray as_struct(std::unique_ptr<OwnedArrays> held, std::int64_t rows) {
    const std::size_t columns = held->arrays.size();
    if (columns > held->few_places.size()) held->many_places.resize(columns);
    ArrowArray** const places =
        held->many_places.empty() ? held->few_places.data() : held->many_places.data();
    for (std::size_t at = 0; at < columns; ++at) places[at] = &held->arrays[at];
    ArrowArray made{};
    made.length = rows;
    made.n_buffers = 1;
    made.n_children = static_cast<std::int64_t>(columns);
    made.buffers = &held->no_validity;
    made.children = places;
    made.release = [](ArrowArray* array) {
      const std::unique_ptr<OwnedArrays> owner(static_cast<OwnedArrays*>(array->private_data));
      for (ArrowArray& child : owner->arrays) {
        if (child.release != nullptr) child.release(&child);
      }
      array->release = nullptr;
    };
    made.private_data = held.release();
    return made;
  }
};

// The columns of both, side by side. Throws std::invalid_argument unless they have as many rows.
[[nodiscard]] inline Rows beside(Rows left, Rows right) {
  const std::int64_t rows = left.rows();
  if (rows != right.rows()) {
    throw std::invalid_argument(std::to_string(rows) + " rows cannot stand beside " +
                                std::to_string(right.rows()));
  }
  auto held = std::make_unique<OwnedArrays>();
  held->arrays.reserve(static_cast<std::size_t>(left.columns() + right.columns()));
  Formats formats = left.formats();
  formats.append(right.formats());
  for (Rows* part : {&left, &right}) {
    ArrowArray from = std::move(*part).release();
    for (std::int64_t at = 0; at < from.n_children; ++at) {
      ArrowArray& child = *from.children[at];
      held->arrays.push_back(child);
      child.release = nullptr;  // it has moved
      held->arrays.back().offset += from.offset;
      held->arrays.back().length = rows;
      if (child.null_count != 0) held->arrays.back().null_count = -1;
    }
    from.release(&from);
  }
  return {OwnedArrays::as_struct(std::move(held), rows), std::move(formats)};
}

}  // namespace penstock
