#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "penstock/base/hash.hpp"

namespace penstock::region {

// Which channel a key belongs to: consistent hashing (Gedik et al. 2014, G14). Every channel has
// kPointsPerChannel points on a ring of 128 bits, and a key belongs to the channel of the first
// point at or behind its own place, around the end of the ring if need be (A22).
//
// A channel's points depend on nothing but its number, so the ring of n channels is the same in
// every process and version, and the n-th channel takes keys over without any moving between the
// others. Keys lie on the ring by the high bits of their hash: who places keys further within a
// channel takes the low ones.
class HashRing {
 public:
  static constexpr int kMostChannels = 4096;
  static constexpr int kPointsPerChannel = 256;

  // Throws std::invalid_argument unless `channels` is within 1 and kMostChannels.
  explicit HashRing(int channels);

  [[nodiscard]] int channels() const noexcept { return channels_; }

  // Constant time on average: the ring is cut into at least two segments for each point, and the
  // search begins at the first point of the key's own.
  [[nodiscard]] int channel_of(std::uint64_t hash) const noexcept {
    std::uint32_t at = segments_[hash >> shift_];
    while (points_[at] < hash) ++at;
    if (points_[at] == hash) at = at_tie(hash, at);
    return owners_[at];
  }

  // The same for many; `out` has as many places as there are hashes.
  void channels_of(std::span<const std::uint64_t> hashes, std::span<std::int32_t> out) const;

  // Channel `channel`'s `index`-th point.
  [[nodiscard]] static base::Hash128 point(int channel, int index) noexcept;

 private:
  // The high halves of the places are equal, so the low ones decide.
  [[nodiscard]] std::uint32_t at_tie(std::uint64_t hash, std::uint32_t at) const noexcept;

  int channels_;
  unsigned shift_ = 0;
  std::vector<std::uint32_t> segments_;  // the first point at or behind each segment's start
  std::vector<std::uint64_t> points_;    // high halves, ascending, and an end that is never passed
  std::vector<std::uint64_t> lows_;
  std::vector<std::int16_t> owners_;
};

}  // namespace penstock::region
