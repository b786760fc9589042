#pragma once

#include <array>
#include <cstdint>

namespace penstock::bench {

// What moves in the benchmarks: one cache line, as a tuple of a few columns would be.
struct alignas(64) Item {
  std::uint64_t serial = 0;      // from 0, in the order of the source
  std::uint64_t value = 0;       // every operator mixes what it remembers into it
  double number = 1.0;           // what the floating point work is done on
  std::int64_t handed_over = 0;  // nanoseconds of the steady clock; only where latency is measured
  std::array<std::uint64_t, 4> payload{};
};
static_assert(sizeof(Item) == 64);

// Some items of a row: every one, or every stride-th where channels take turns.
class Items {
 public:
  class Iterator {
   public:
    Iterator(Item* item, std::ptrdiff_t stride) noexcept : item_(item), stride_(stride) {}
    [[nodiscard]] Item& operator*() const noexcept { return *item_; }
    Iterator& operator++() noexcept {
      item_ += stride_;
      return *this;
    }
    [[nodiscard]] bool operator!=(const Iterator& other) const noexcept {
      return item_ != other.item_;
    }

   private:
    Item* item_;
    std::ptrdiff_t stride_;
  };

  Items(Item* first, std::ptrdiff_t count, std::ptrdiff_t stride) noexcept
      : first_(first), count_(count), stride_(stride) {}

  [[nodiscard]] Iterator begin() const noexcept { return {first_, stride_}; }
  [[nodiscard]] Iterator end() const noexcept { return {first_ + count_ * stride_, stride_}; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] Item* first() const noexcept { return first_; }
  [[nodiscard]] std::ptrdiff_t stride() const noexcept { return stride_; }

 private:
  Item* first_;
  std::ptrdiff_t count_;
  std::ptrdiff_t stride_;
};

}  // namespace penstock::bench
