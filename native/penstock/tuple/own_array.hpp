#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "penstock/base/check.hpp"
#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// An Arrow array in the making: buffers of its own, aligned to 64 bytes as Arrow recommends, and
// children. Whatever was not finished frees itself.
class OwnArray {
 public:
  // Room for so many children is made at once; there may be more.
  explicit OwnArray(std::int64_t length, std::size_t children = 0);

  // The next buffer in the order of the format: uninitialised, and there even if it is empty.
  template <typename Value>
  [[nodiscard]] Value* add_buffer(std::int64_t values) {
    return static_cast<Value*>(add_bytes(values * static_cast<std::int64_t>(sizeof(Value))));
  }
  // The next buffer is left out, which only a validity bitmap may be.
  void skip_buffer() { next_buffer() = nullptr; }

  // Takes the array over, also if it throws.
  void add_child(ArrowArray child);
  void set_dictionary(ArrowArray dictionary);

  [[nodiscard]] ArrowArray finish(std::int64_t nulls) &&;
  // As a record batch.
  [[nodiscard]] Batch finish_batch() &&;

  // An array that shows what `source` shows, and keeps `owner`, whose it is, alive.
  [[nodiscard]] static ArrowArray borrow(const ArrowArray& source, const Batch& owner);

 private:
  // Of a view: the validity, the views, the bytes and their sizes.
  static constexpr std::size_t kMostBuffers = 4;

  struct Free {
    void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes); }
  };
  struct Parts {
    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    Parts(Parts&&) = delete;
    Parts& operator=(Parts&&) = delete;
    ~Parts();

    // In place: an array is made for every column of every tuple, and allocations are most of it.
    std::array<std::unique_ptr<std::byte, Free>, kMostBuffers> buffers;
    std::array<const void*, kMostBuffers> pointers{};
    std::size_t count = 0;          // of the buffers
    std::vector<ArrowArray> nodes;  // the children, then the dictionary
    std::vector<ArrowArray*> children;
    bool has_dictionary = false;
    Batch owner;
  };
  static constexpr std::size_t kAlignment = 64;

  [[nodiscard]] const void*& next_buffer() {
    PENSTOCK_CHECK(parts_->count < kMostBuffers, "no type has more buffers than a view's");
    return parts_->pointers[parts_->count++];
  }
  [[nodiscard]] void* add_bytes(std::int64_t size);
  static void release(ArrowArray* array);

  std::unique_ptr<Parts> parts_;
  std::int64_t length_;
};

}  // namespace penstock::tuple
