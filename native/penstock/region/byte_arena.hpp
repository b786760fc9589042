#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace penstock::region {

// Keeps copies of byte strings at addresses that do not change, until all are dropped together.
// It grows by blocks instead of moving what it has, so it never needs twice its memory.
class ByteArena {
 public:
  // Never null, also for an empty string.
  [[nodiscard]] const char* add(std::string_view bytes) {
    if (bytes.size() > left_ || next_ == nullptr) add_block(bytes.size());
    char* place = next_;
    if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
    next_ += bytes.size();
    left_ -= bytes.size();
    return place;
  }

  // Memory taken, used or not.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return taken_ + (blocks_.capacity() * sizeof(blocks_[0]));
  }

 private:
  static constexpr std::size_t kLeastBlock = 256;
  static constexpr std::size_t kMostBlock = std::size_t{1} << 20U;

  // As large as all before it, so that a small arena is small and a large one has few blocks.
  void add_block(std::size_t least) {
    const std::size_t size = std::max(least, std::clamp(taken_, kLeastBlock, kMostBlock));
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(size));
    next_ = blocks_.back().get();
    left_ = size;
    taken_ += size;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace penstock::region
