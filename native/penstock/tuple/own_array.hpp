#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "penstock/tuple/arrow_abi.hpp"
#include "penstock/tuple/batch.hpp"

namespace penstock::tuple {

// An Arrow array in the making: buffers of its own, aligned to 64 bytes as Arrow recommends, and
// children. Whatever was not finished frees itself.
class OwnArray {
 public:
  explicit OwnArray(std::int64_t length);

  // The next buffer in the order of the format: uninitialised, and there even if it is empty.
  template <typename Value>
  [[nodiscard]] Value* add_buffer(std::int64_t values) {
    return static_cast<Value*>(add_bytes(values * static_cast<std::int64_t>(sizeof(Value))));
  }
  // The next buffer is left out, which only a validity bitmap may be.
  void skip_buffer() { parts_->pointers.push_back(nullptr); }

  // Takes the array over, also if it throws.
  void add_child(ArrowArray child);
  void set_dictionary(ArrowArray dictionary);

  [[nodiscard]] ArrowArray finish(std::int64_t nulls) &&;
  // As a record batch.
  [[nodiscard]] Batch finish_batch() &&;

  // An array that shows what `source` shows, and keeps `owner`, whose it is, alive.
  [[nodiscard]] static ArrowArray borrow(const ArrowArray& source, const Batch& owner);

 private:
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

    std::vector<std::unique_ptr<std::byte, Free>> buffers;
    std::vector<const void*> pointers;
    std::vector<ArrowArray> nodes;  // the children, then the dictionary
    std::vector<ArrowArray*> children;
    bool has_dictionary = false;
    Batch owner;
  };
  static constexpr std::size_t kAlignment = 64;

  [[nodiscard]] void* add_bytes(std::int64_t size);
  static void release(ArrowArray* array);

  std::unique_ptr<Parts> parts_;
  std::int64_t length_;
};

}  // namespace penstock::tuple
