#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::ops {

// Roughly how many different values there were, told by their hashes (HyperLogLog, Flajolet et al.
// 2007). The first 128 are remembered one by one, so there the count is exact; beyond that
// registers give it with a standard error of 1.04 / sqrt(4096), 1.6 %.
class DistinctSketch {
 public:
  void add(std::uint64_t hash);
  [[nodiscard]] std::int64_t count() const noexcept {
    return dense_ ? dense_->count : std::ssize(few_);
  }

  // Appends what restore() takes.
  void save(std::string& out) const;
  void restore(std::string_view saved);

  // Memory taken elsewhere.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return (few_.capacity() * sizeof(few_[0])) + (dense_ ? sizeof(Dense) : 0);
  }

 private:
  static constexpr int kIndexBits = 12;
  static constexpr int kRankBits = 64 - kIndexBits;
  static constexpr std::size_t kRegisters = std::size_t{1} << unsigned{kIndexBits};
  static constexpr std::size_t kFew = 128;

  struct Dense {
    void add(std::uint64_t hash) noexcept;
    // Ertl 2017, "New cardinality estimation algorithms for HyperLogLog sketches", algorithm 6:
    // right over the whole range, without tables of corrections.
    void estimate() noexcept;

    std::array<std::uint8_t, kRegisters> registers{};
    std::array<std::uint16_t, kRankBits + 2> of_rank{kRegisters};  // registers that have it
    std::int64_t count = 0;
  };

  std::vector<std::uint64_t> few_;  // sorted
  std::unique_ptr<Dense> dense_;    // instead of them, once they are too many
};

}  // namespace penstock::ops
